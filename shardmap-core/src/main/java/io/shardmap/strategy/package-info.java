/** Strategies: how a shard key becomes a virtual shard. Pure functions, named and versioned so that every client of a map computes the same. */
@NullMarked
package io.shardmap.strategy;

import org.jspecify.annotations.NullMarked;
