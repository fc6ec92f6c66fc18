/** The shard-map database: reading a map, and changing it one compare-and-set at a time. */
@NullMarked
package io.shardmap.store;

import org.jspecify.annotations.NullMarked;
