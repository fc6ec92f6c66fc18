/** Micrometer meters of a router and of moves. Never tagged by key. */
@NullMarked
package io.shardmap.metrics;

import org.jspecify.annotations.NullMarked;
