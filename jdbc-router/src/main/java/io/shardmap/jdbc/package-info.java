/** The way in: a router that opens connections by shard key and runs queries over all servers, and the JDBC 4.3 data source for one map. */
@NullMarked
package io.shardmap.jdbc;

import org.jspecify.annotations.NullMarked;
