package io.shardmap.jdbc.routed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.TwoServers;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A cached route may be wrong at any time: the server notices, and the statement runs where the virtual shard is. */
class StaleRouteTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    private TwoServers two;

    @BeforeEach
    void open() throws SQLException {
        two = new TwoServers(servers);
        two.sql("left", "insert into book values (1, 6, 'on the left')");
        two.sql("right", "insert into book values (1, 6, 'on the right')");
        try (Connection warm = two.open(6);
                Statement statement = warm.createStatement()) {
            statement.executeQuery("select 1").close();
        }
    }

    @AfterEach
    void close() {
        two.close();
    }

    static Stream<Arguments> isolations() {
        return Stream.of(
                        Connection.TRANSACTION_READ_COMMITTED,
                        Connection.TRANSACTION_REPEATABLE_READ,
                        Connection.TRANSACTION_SERIALIZABLE)
                .flatMap(isolation -> Stream.of(Arguments.of(isolation, true), Arguments.of(isolation, false)));
    }

    private static String title(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select title from book where id = ?")) {
            select.setInt(1, 1);
            try (ResultSet row = select.executeQuery()) {
                assertTrue(row.next());
                return row.getString(1);
            }
        }
    }

    private static int update(Connection connection, String title) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update book set title = ? where id = 1")) {
            update.setString(1, title);
            return update.executeUpdate();
        }
    }

    @ParameterizedTest
    @MethodSource("isolations")
    void everyStatementGoesToTheNewOwner(int isolation, boolean autoCommit) throws SQLException {
        try (Connection connection = two.open(6)) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(autoCommit);
            for (int i = 0; i < 3; i++) {
                assertEquals("on the left", title(connection)); // seen often enough to be read without a lock
            }
            if (!autoCommit) {
                connection.commit();
            }
            two.moveEmpty(6, "left", "right", 2);
            assertEquals("on the right", title(connection));
            assertEquals(1, update(connection, "written"));
            if (!autoCommit) {
                connection.commit();
            }
            two.moveEmpty(6, "right", "left", 3);
            assertEquals("on the left", title(connection));
        }
        assertEquals(1, two.count("right", "book where title = 'written'"));
        assertEquals(1, two.count("left", "book where title = 'on the left'"));
    }

    /**
     * The trap: the transaction's snapshot is taken when {@code enter} begins, before it waits for the mover's lock; what the mover
     * commits meanwhile is invisible to a plain read in that snapshot.
     */
    @ParameterizedTest
    @MethodSource("isolations")
    void aSnapshotOlderThanTheSwitchLetsNobodyThrough(int isolation, boolean autoCommit) throws Exception {
        for (boolean readOnly : new boolean[] {false, true}) {
            long epoch = two.store.load(TwoServers.MAP).virtualShards().get(6).epoch();
            try (Connection mover = two.admin("left");
                    Connection connection = two.open(6)) {
                connection.setTransactionIsolation(isolation);
                connection.setReadOnly(readOnly);
                connection.setAutoCommit(autoCommit);
                mover.setAutoCommit(false);
                try (Statement statement = mover.createStatement()) {
                    statement.execute("select pg_advisory_xact_lock(1397555201, 6)");
                    statement.execute(
                            "update shardmap.ownership set state = 'CLOSED', epoch = %d where virtual_shard = 6"
                                    .formatted(epoch + 1));
                }
                Future<String> client = background(() -> {
                    String result;
                    if (readOnly) {
                        try (Statement statement = connection.createStatement();
                                ResultSet row = statement.executeQuery(
                                        "select title from book where id = 1 and pg_backend_pid() > 0")) {
                            row.next();
                            result = row.getString(1);
                        }
                    } else {
                        result = "updated " + update(connection, "updated");
                    }
                    if (!autoCommit) {
                        connection.commit();
                    }
                    return result;
                });
                awaitWaiting("left");
                two.own("right", 6, epoch + 1, "OPEN");
                two.place(6, "right", epoch + 1);
                mover.commit();
                assertEquals(readOnly ? "on the right" : "updated 1", client.get(20, TimeUnit.SECONDS));
            }
            assertEquals(
                    1, two.count("left", "book where title = 'on the left'"), "nothing was written on the old owner");
            assertEquals(readOnly ? 0 : 1, two.count("right", "book where title = 'updated'"));
            two.sql("right", "update book set title = 'on the right'");
            two.moveEmpty(6, "right", "left", epoch + 2);
        }
    }

    private void awaitWaiting(String server) throws SQLException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (two.count(server, "pg_locks where locktype = 'advisory' and not granted") == 0) {
            assertTrue(System.nanoTime() < end, "the client must wait for the mover's lock");
            Thread.onSpinWait();
        }
    }

    private static <T> Future<T> background(Callable<T> work) {
        ExecutorService one = Executors.newSingleThreadExecutor();
        Future<T> result = one.submit(work);
        one.shutdown();
        return result;
    }

    @Test
    void aTransactionThatEnteredFinishesBeforeTheMoverGetsTheLock() throws Exception {
        try (Connection connection = two.open(6);
                Connection mover = two.admin("left")) {
            connection.setAutoCommit(false);
            update(connection, "in flight");
            mover.setAutoCommit(false);
            Future<Boolean> locked = background(() -> {
                try (Statement statement = mover.createStatement()) {
                    return statement.execute("select pg_advisory_xact_lock(1397555201, 6)");
                }
            });
            awaitWaiting("left");
            assertFalse(locked.isDone());
            update(connection, "still in flight");
            connection.commit();
            assertTrue(locked.get(20, TimeUnit.SECONDS));
            mover.rollback();
        }
    }

    @Test
    void aProvenReadTakesNoLock() throws Exception {
        try (Connection mover = two.admin("left");
                Connection connection = two.open(6)) {
            title(connection);
            title(connection);
            mover.setAutoCommit(false);
            try (Statement statement = mover.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(1397555201, 6)");
            }
            Future<String> read = background(() -> title(connection));
            assertEquals("on the left", read.get(20, TimeUnit.SECONDS), "while the mover holds the lock");
            mover.rollback();
        }
    }

    @Test
    void aReadThroughAViewIsNotProven() throws Exception {
        two.sql("left", "create or replace view visible as select * from book");
        try (Connection mover = two.admin("left");
                Connection connection = two.open(6)) {
            String sql = "select title from visible where id = 1";
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery(sql).close();
                statement.executeQuery(sql).close();
            }
            mover.setAutoCommit(false);
            try (Statement statement = mover.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(1397555201, 6)");
            }
            Future<Boolean> read = background(() -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.execute(sql);
                }
            });
            awaitWaiting("left");
            assertFalse(read.isDone());
            mover.rollback();
            assertTrue(read.get(20, TimeUnit.SECONDS));
        } finally {
            two.sql("left", "drop view visible");
        }
    }

    @Test
    void aFenceIsWaitedForWithoutHoldingAConnection() throws Exception {
        two.own("left", 6, 1, "FENCED");
        try (Connection connection = two.open(6)) {
            Future<Integer> client = background(() -> update(connection, "after the fence"));
            awaitIdlePool();
            assertFalse(client.isDone());
            two.moveEmpty(6, "left", "right", 2);
            assertEquals(1, client.get(20, TimeUnit.SECONDS));
            assertEquals(1, two.count("right", "book where title = 'after the fence'"));
        }
    }

    private void awaitIdlePool() throws SQLException {
        var pool = two.router().pools().pool(two.router().map(TwoServers.MAP).server("left"));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (int idle = 0; idle < 3; ) {
            assertTrue(System.nanoTime() < end, "the waiting client must hold no connection most of the time");
            idle += pool.getHikariPoolMXBean().getActiveConnections() == 0 ? 1 : 0;
            Thread.onSpinWait();
        }
    }

    @Test
    void readsGoOnWhileAFenceLasts() throws SQLException {
        two.own("left", 6, 1, "FENCED");
        try (Connection connection = two.open(6)) {
            assertEquals("on the left", title(connection), "a fenced source is frozen, so what it holds is true");
        }
    }

    @Test
    void aFenceThatRanOutLiftsItself() throws SQLException {
        two.own("left", 6, 1, "FENCED");
        two.sql(
                "left",
                "update shardmap.ownership set fenced_until = clock_timestamp() - interval '1 second' where virtual_shard = 6");
        try (Connection connection = two.open(6)) {
            assertEquals(1, update(connection, "lifted"));
        }
    }

    @Test
    void aFenceThatLastsTooLongIsATransientErrorThatNamesTheVirtualShard() throws SQLException {
        two.own("left", 6, 1, "FENCED");
        try (ShardRouter impatient = two.router(Duration.ofMillis(100));
                Connection connection = impatient.openConnection(TwoServers.MAP, 6)) {
            SQLTransientConnectionException error =
                    assertThrows(SQLTransientConnectionException.class, () -> update(connection, "never"));
            assertEquals("08006", error.getSQLState());
            assertEquals(
                    ErrorCode.SHARD_MOVING,
                    assertInstanceOf(ShardMapException.class, error.getCause()).code());
            assertTrue(error.getMessage().contains("virtualShard=6"), error.getMessage());
            two.own("left", 6, 1, "OPEN");
            assertEquals(1, update(connection, "now"), "the same connection works again");
        }
    }

    @Test
    void settingsAndTransactionModesFollowToTheNewServer() throws SQLException {
        try (Connection connection = two.open(6)) {
            connection.setAutoCommit(false);
            connection.setSchema("pg_catalog");
            connection.setSchema("public");
            two.moveEmpty(6, "left", "right", 2);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction isolation level repeatable read");
                statement.execute("set local work_mem = '123kB'");
                try (ResultSet row = statement.executeQuery(
                        "select current_setting('transaction_isolation'), current_setting('work_mem'), title from book")) {
                    row.next();
                    assertEquals("repeatable read", row.getString(1));
                    assertEquals("123kB", row.getString(2));
                    assertEquals("on the right", row.getString(3));
                }
            }
            connection.commit();
        }
    }

    @Test
    void aTransactionBegunByHandStartsOverAsOne() throws SQLException {
        try (Connection connection = two.open(6);
                Statement statement = connection.createStatement()) {
            statement.execute("begin isolation level repeatable read");
            two.moveEmpty(6, "left", "right", 2);
            statement.executeUpdate("insert into book values (2, 6)");
            statement.executeUpdate("insert into book values (3, 6)");
            statement.execute("rollback");
            assertEquals(1, two.count("right", "book"), "both inserts belong to the transaction that was rolled back");
            statement.execute("start transaction");
            statement.execute("set transaction isolation level serializable");
            statement.execute("commit");
            two.moveEmpty(6, "right", "left", 3);
            connection.setAutoCommit(false);
            try (ResultSet row = statement.executeQuery("select current_setting('transaction_isolation')")) {
                row.next();
                assertEquals("read committed", row.getString(1), "an ended transaction leaves nothing to repeat");
            }
            connection.rollback();
        }
    }

    @Test
    void aSessionWithStateOfItsOwnIsNotMovedSilently() throws SQLException {
        try (Connection connection = two.open(6);
                Statement statement = connection.createStatement()) {
            statement.execute("create temporary table mine (id int)");
            two.moveEmpty(6, "left", "right", 2);
            SQLException error = assertThrows(SQLException.class, () -> update(connection, "x"));
            assertTrue(error.getMessage().contains("state of its own"), error.getMessage());
        }
    }

    @Test
    void preparedStatementsKeepTheirParametersAndSettings() throws SQLException {
        try (Connection connection = two.open(6);
                PreparedStatement update =
                        connection.prepareStatement("update book set title = ?, printed = ? where id = ?")) {
            update.setQueryTimeout(20);
            update.setString(1, "kept");
            update.setTimestamp(2, java.sql.Timestamp.valueOf("2026-11-30 10:00:00"));
            update.setInt(3, 1);
            assertEquals(1, update.executeUpdate());
            two.moveEmpty(6, "left", "right", 2);
            assertEquals(1, update.executeUpdate());
            assertEquals(20, update.getQueryTimeout());
        }
        assertEquals(1, two.count("right", "book where title = 'kept' and printed = '2026-11-30 10:00:00'"));
    }

    @Test
    void aMapRowChangedBehindTheCacheIsFound() throws SQLException {
        two.moveEmpty(6, "left", "right", 2);
        two.moveEmpty(6, "right", "left", 3); // same server, another epoch
        try (Connection connection = two.open(6)) {
            assertEquals(1, update(connection, "found"));
        }
        assertEquals(1, two.count("left", "book where title = 'found'"));
    }

    @Test
    void aMapThatNamesTheWrongServerWritesNothing() throws SQLException {
        two.place(6, "right", 1); // a restored or edited map: the server does not agree
        try (ShardRouter impatient = two.router(Duration.ofMillis(100));
                Connection connection = impatient.openConnection(TwoServers.MAP, 6)) {
            assertThrows(SQLTransientConnectionException.class, () -> update(connection, "lost"));
        }
        assertEquals(0, two.count("right", "book where title = 'lost'"));
    }
}
