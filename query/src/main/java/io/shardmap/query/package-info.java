/** Plans cross-shard queries that the router alone refuses: grouped merges, and what a coordinator answers. Found on the class path. */
@NullMarked
package io.shardmap.query;

import org.jspecify.annotations.NullMarked;
