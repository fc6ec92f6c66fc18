/** From a key to the server that holds it: a pure look-up in a cached shard map, and the cache that keeps the map fresh. */
@NullMarked
package io.shardmap.resolve;

import org.jspecify.annotations.NullMarked;
