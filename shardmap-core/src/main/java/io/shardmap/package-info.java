/** The model: a shard map, its virtual shards, the servers that hold them, and the errors that name what is wrong with them. Everything here is immutable and free of I/O. */
@NullMarked
package io.shardmap;

import org.jspecify.annotations.NullMarked;
