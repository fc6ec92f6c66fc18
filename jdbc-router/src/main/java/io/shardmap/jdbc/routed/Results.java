package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;

/** Walks over the results that a {@link Form} puts in front of the user's. */
final class Results {
    private Results() {}

    /**
     * Goes to the user's first result.
     *
     * @param first whether the statement's first result is a result set
     * @return whether the user's first result is a result set
     * @throws SQLException with SQLSTATE SM001 when a checked read found another owner or epoch
     */
    static boolean skipOurs(Statement statement, Form form, Route route, boolean first) throws SQLException {
        boolean rows = first;
        for (int i = 0; i < form.leadingResults(); i++) {
            if (form == Form.CHECKED_READ) {
                requireEpoch(statement, route);
            }
            rows = statement.getMoreResults();
        }
        return rows;
    }

    private static void requireEpoch(Statement statement, Route route) throws SQLException {
        try (ResultSet ownership = statement.getResultSet()) {
            if (!ownership.next() || ownership.getLong(1) != route.epoch()) {
                throw new SQLTransactionRollbackException(
                        "virtual shard " + route.virtualShard() + " of map " + route.map()
                                + " is not owned by this server at epoch " + route.epoch(),
                        "SM001");
            }
        }
    }
}
