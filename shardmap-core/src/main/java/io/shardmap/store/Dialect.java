package io.shardmap.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;

/** What the databases that can hold a shard map do differently. */
enum Dialect {
    /** Settings of the one transaction only: they need no undoing, and a pooler that works by transactions is fine. */
    POSTGRESQL {
        @Override
        Undo begin(Connection connection, boolean read) throws SQLException {
            execute(connection, read ? READ : CHANGE);
            return unchanged -> {};
        }

        @Override
        void notifyChange(Connection connection, String map, long generation) throws SQLException {
            execute(connection, "select pg_notify('shardmap', ?)", map + ":" + generation);
        }

        private static final String READ = "set transaction isolation level repeatable read, read only";
        /** Durable and impatient, whatever the defaults: an acknowledged change survives a crash, and none waits for ever. */
        private static final String CHANGE = """
                set transaction isolation level read committed, read write;
                select set_config('lock_timeout', '10s', true),
                       case when current_setting('synchronous_commit') in ('off', 'local')
                            then set_config('synchronous_commit', 'on', true) end
                """;
    },
    /** Isolation belongs to the session. SNAPSHOT is a level of its own: in REPEATABLE READ each table has another snapshot. */
    H2 {
        private static final int SNAPSHOT = 6;

        @Override
        Undo begin(Connection connection, boolean read) throws SQLException {
            int before = connection.getTransactionIsolation();
            connection.setTransactionIsolation(read ? SNAPSHOT : Connection.TRANSACTION_READ_COMMITTED);
            return changed -> changed.setTransactionIsolation(before);
        }

        @Override
        void notifyChange(Connection connection, String map, long generation) {}
    };

    /** Undefined schema, table or (of an older schema) column, as PostgreSQL and H2 call it. */
    private static final Set<String> MISSING_TABLE =
            Set.of("42P01", "42703", "3F000", "42S02", "42S03", "42S04", "42S22", "90079");

    /** Gives a session back what {@link #begin} changed. */
    @FunctionalInterface
    interface Undo {
        void accept(Connection connection) throws SQLException;
    }

    /** Returns the dialect of a connection; asks the driver, not the database. */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            default ->
                throw new SQLException("a shard map can be kept in PostgreSQL or H2, not in " + product, "0A000");
        };
    }

    /**
     * Begins a transaction on a connection that has none and does not commit by itself.
     *
     * @param read whether all statements are to see one snapshot and change nothing; otherwise each statement sees what is committed
     *     and waits for the rows it changes
     * @return what has to be called after the transaction
     */
    abstract Undo begin(Connection connection, boolean read) throws SQLException;

    /** Tells listening clients about a new generation when the transaction commits; only a hint, so a database without it says nothing. */
    abstract void notifyChange(Connection connection, String map, long generation) throws SQLException;

    /** Returns whether a statement failed because the catalogue is not there. */
    static boolean isMissingTable(SQLException failure) {
        return failure.getSQLState() != null && MISSING_TABLE.contains(failure.getSQLState());
    }

    /** Returns whether a statement failed because a row of the same key exists. */
    static boolean isDuplicate(SQLException failure) {
        return "23505".equals(failure.getSQLState());
    }

    private static void execute(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            statement.execute();
        }
    }
}
