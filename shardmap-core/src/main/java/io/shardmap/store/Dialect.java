package io.shardmap.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;

/** What the databases that can hold a shard map do differently. */
enum Dialect {
    POSTGRESQL(Connection.TRANSACTION_REPEATABLE_READ) {
        @Override
        void beginChange(Connection connection) throws SQLException {
            execute(connection, """
                    select set_config('lock_timeout', '10s', true),
                           case when current_setting('synchronous_commit') in ('off', 'local')
                                then set_config('synchronous_commit', 'on', true) end""");
        }

        @Override
        void notifyChange(Connection connection, String map, long generation) throws SQLException {
            execute(connection, "select pg_notify('shardmap', ?)", map + ":" + generation);
        }
    },
    /** Its SNAPSHOT isolation is a level of its own: REPEATABLE READ lets each table have another snapshot. */
    H2(6) {
        @Override
        void beginChange(Connection connection) {}

        @Override
        void notifyChange(Connection connection, String map, long generation) {}
    };

    /** Undefined table or schema, as PostgreSQL and H2 call it. */
    private static final Set<String> MISSING_TABLE = Set.of("42P01", "3F000", "42S02", "42S03", "42S04", "90079");

    private final int snapshotIsolation;

    Dialect(int snapshotIsolation) {
        this.snapshotIsolation = snapshotIsolation;
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

    /** Returns the isolation level in which all statements of a transaction see one snapshot. */
    int snapshotIsolation() {
        return snapshotIsolation;
    }

    /**
     * Makes a change durable and impatient, whatever the database's defaults: an acknowledged placement survives a crash, and a client
     * that stopped in the middle of a change does not make all others wait for ever.
     */
    abstract void beginChange(Connection connection) throws SQLException;

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
