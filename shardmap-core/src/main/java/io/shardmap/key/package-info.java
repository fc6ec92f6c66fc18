/** Shard keys: one canonical form per key type, fixed before any hash or compare. */
@NullMarked
package io.shardmap.key;

import org.jspecify.annotations.NullMarked;
