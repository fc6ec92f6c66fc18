package io.shardmap.jdbc.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Makes an object of a row.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface RowMapper<T> {

    /**
     * Returns the object for the current row.
     *
     * @param row stands on the row; must not be moved or closed
     * @throws SQLException when the row cannot be read; ends the query
     */
    T map(ResultSet row) throws SQLException;
}
