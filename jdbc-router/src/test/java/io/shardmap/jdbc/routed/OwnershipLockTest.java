package io.shardmap.jdbc.routed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.TwoServers;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock of the virtual shard is held while the user's own statement runs, in every mode of the driver. */
class OwnershipLockTest {
    private static final int EXECUTIONS = 12;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    /** Our own lock, seen from inside the user's statement; pg_backend_pid keeps it from being proven a plain read. */
    private static final String HELD = """
            select 'held'::text, count(*) from pg_locks
            where locktype = 'advisory' and classid = 1397555201 and objid = 6 and objsubid = 2 and mode = 'ShareLock'
                and granted and pid = pg_backend_pid()""";

    private static void assertHeld(ResultSet rows) throws SQLException {
        try (rows) {
            assertTrue(rows.next());
            assertEquals(1, rows.getLong(2), "shared advisory lock of (map 1, virtual shard 6)");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "preferQueryMode=simple",
                "prepareThreshold=1",
                "prepareThreshold=0",
                "autosave=always",
                "stringtype=unspecified",
                "binaryTransfer=false"
            })
    void isHeldByPreparedStatements(String options) throws SQLException {
        try (TwoServers two = new TwoServers(servers, options)) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                try (Connection connection = two.open(6)) {
                    connection.setAutoCommit(autoCommit);
                    try (PreparedStatement statement = connection.prepareStatement(HELD)) {
                        for (int i = 0; i < EXECUTIONS; i++) {
                            assertHeld(statement.executeQuery());
                            if (!autoCommit) {
                                connection.commit();
                            }
                        }
                    }
                    try (PreparedStatement statement = connection.prepareStatement(
                            HELD + " and coalesce(?::timestamp, ?::timestamp, now()) is not null")) {
                        for (int i = 0; i < EXECUTIONS; i++) {
                            statement.setTimestamp(1, new Timestamp(1_000L * i));
                            statement.setNull(2, Types.TIMESTAMP);
                            assertHeld(statement.executeQuery());
                            if (!autoCommit) {
                                connection.commit();
                            }
                        }
                    }
                    try (PreparedStatement statement = connection.prepareStatement(HELD + " and ?::text is null")) {
                        for (int i = 0; i < EXECUTIONS; i++) {
                            statement.setNull(1, Types.VARCHAR);
                            if (!options.contains("simple")) { // the driver describes nothing in simple mode
                                assertEquals("text", statement.getMetaData().getColumnTypeName(1));
                                assertEquals(1, statement.getParameterMetaData().getParameterCount());
                            }
                            assertHeld(statement.executeQuery());
                            if (!autoCommit) {
                                connection.rollback();
                            }
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "preferQueryMode=simple", "preferQueryMode=extendedForPrepared"})
    void isHeldByPlainStatements(String options) throws SQLException {
        try (TwoServers two = new TwoServers(servers, options)) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                try (Connection connection = two.open(6);
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(autoCommit);
                    for (int i = 0; i < EXECUTIONS; i++) {
                        assertHeld(statement.executeQuery(HELD + " -- a comment that must not swallow the commit"));
                        if (!autoCommit) {
                            connection.commit();
                        }
                    }
                }
            }
        }
    }

    @Test
    void isGoneWhenTheStatementHasEnded() throws SQLException {
        try (TwoServers two = new TwoServers(servers);
                Connection connection = two.open(6)) {
            try (PreparedStatement statement = connection.prepareStatement(HELD)) {
                assertHeld(statement.executeQuery());
            }
            assertEquals(0, two.count("left", "pg_locks where locktype = 'advisory'"), "locks after autocommit");
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(HELD)) {
                assertHeld(statement.executeQuery());
                assertEquals(
                        1, two.count("left", "pg_locks where locktype = 'advisory'"), "locks inside a transaction");
                connection.commit();
            }
            assertEquals(0, two.count("left", "pg_locks where locktype = 'advisory'"), "locks after commit");
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void isHeldInReadOnlyTransactionsOfEveryIsolation(int isolation) throws SQLException {
        try (TwoServers two = new TwoServers(servers);
                Connection connection = two.open(6)) {
            connection.setTransactionIsolation(isolation);
            connection.setReadOnly(true);
            for (boolean autoCommit : new boolean[] {true, false}) {
                connection.setAutoCommit(autoCommit);
                try (PreparedStatement statement = connection.prepareStatement(HELD);
                        Statement plain = connection.createStatement()) {
                    for (int i = 0; i < EXECUTIONS; i++) {
                        assertHeld(statement.executeQuery());
                        try (ResultSet row = plain.executeQuery(
                                "select current_setting('transaction_read_only'), current_setting('transaction_isolation')")) {
                            row.next();
                            assertEquals("on", row.getString(1));
                            assertEquals(
                                    isolation,
                                    switch (row.getString(2)) {
                                        case "read committed" -> Connection.TRANSACTION_READ_COMMITTED;
                                        case "repeatable read" -> Connection.TRANSACTION_REPEATABLE_READ;
                                        default -> Connection.TRANSACTION_SERIALIZABLE;
                                    });
                        }
                        if (!autoCommit) {
                            connection.commit();
                        }
                    }
                }
            }
        }
    }

    @Test
    void isHeldAfterRollingBackToASavepoint() throws SQLException {
        try (TwoServers two = new TwoServers(servers);
                Connection connection = two.open(6)) {
            connection.setAutoCommit(false);
            var savepoint = connection.setSavepoint("before_anything");
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into book (id, check_digit) values (1, 6)");
                connection.rollback(savepoint);
                assertHeld(statement.executeQuery(HELD));
                connection.rollback();
                statement.execute("savepoint by_hand");
                statement.executeUpdate("insert into book (id, check_digit) values (1, 6)");
                statement.execute("rollback to savepoint by_hand");
                assertHeld(statement.executeQuery(HELD));
            }
            connection.rollback();
        }
    }

    @Test
    void isTakenAgainAfterARawCommit() throws SQLException {
        try (TwoServers two = new TwoServers(servers);
                Connection connection = two.open(6)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String end : new String[] {"commit", "/* really */ ROLLBACK", "end"}) {
                    assertHeld(statement.executeQuery(HELD));
                    statement.execute(end);
                    assertHeld(statement.executeQuery(HELD));
                }
            }
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("begin");
                assertHeld(statement.executeQuery(HELD));
                statement.execute("commit");
                assertEquals(0, two.count("left", "pg_locks where locktype = 'advisory'"));
                assertHeld(statement.executeQuery(HELD));
            }
        }
    }
}
