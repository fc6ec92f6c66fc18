package io.shardmap.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What an application does with a connection, once: from opening it to closing it. */
final class Statements {
    private Statements() {}

    /** Opens and closes a connection. */
    static Work checkout(ByKey connections) {
        Keys keys = new Keys();
        return () -> {
            try (Connection connection = connections.open(keys.next())) {
                return connection == null ? 0 : 1;
            }
        };
    }

    /** Reads one row by its key, with {@code sql} of one parameter. */
    static Work select(ByKey connections, String sql) {
        Keys keys = new Keys();
        return () -> {
            int id = keys.next();
            try (Connection connection = connections.open(id)) {
                return read(connection, sql, id);
            }
        };
    }

    /** Changes one row by its key, in autocommit. */
    static Work update(ByKey connections) {
        Keys keys = new Keys();
        return () -> {
            int id = keys.next();
            try (Connection connection = connections.open(id)) {
                return change(connection, id);
            }
        };
    }

    /** Reads one row, changes it, commits. */
    static Work transaction(ByKey connections) {
        Keys keys = new Keys();
        return () -> {
            int id = keys.next();
            try (Connection connection = connections.open(id)) {
                connection.setAutoCommit(false);
                long read = read(connection, Books.BY_ID, id);
                long changed = change(connection, id);
                connection.commit();
                return read + changed;
            }
        };
    }

    private static long read(Connection connection, String sql, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("book must be there: id=" + id);
                }
                return rows.getLong(1) + rows.getLong(2) + rows.getString(3).length();
            }
        }
    }

    private static long change(Connection connection, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("update book set title = ? where id = ?")) {
            statement.setString(1, "The book of number " + id);
            statement.setInt(2, id);
            return statement.executeUpdate();
        }
    }
}
