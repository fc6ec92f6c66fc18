package io.shardmap.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements of one value, for assertions. */
final class Sql {
    private Sql() {}

    static String value(PostgresServer server, String query) throws SQLException {
        try (Connection connection = server.openConnection()) {
            return value(connection, query);
        }
    }

    static String value(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
