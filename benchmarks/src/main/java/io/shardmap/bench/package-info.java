/**
 * What routing costs beside plain HikariCP and the driver, as lines of JSON. Each bench is one class; how work is timed is in {@link
 * io.shardmap.bench.Rounds}, what a line means in {@link io.shardmap.bench.BenchLine}.
 */
@NullMarked
package io.shardmap.bench;

import org.jspecify.annotations.NullMarked;
