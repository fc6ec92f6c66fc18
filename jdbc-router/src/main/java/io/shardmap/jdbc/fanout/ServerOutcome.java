package io.shardmap.jdbc.fanout;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How far one server is with its share of a query.
 *
 * @param server name of the server
 * @param rows how many of its rows were taken so far; a count is one row
 * @param millis time from the start of the query to the server's last row, or to now while it has more
 * @param error why it gave no rows, or no more rows; null while all is well
 */
public record ServerOutcome(
        String server, long rows, long millis, @Nullable SQLException error) {}
