/**
 * A {@link javax.sql.DataSource} whose queries run on all servers of a map, for tools that only know JDBC. Start at {@link
 * io.shardmap.jdbc.fanout.datasource.FanOutDataSource}.
 */
@NullMarked
package io.shardmap.jdbc.fanout.datasource;

import org.jspecify.annotations.NullMarked;
