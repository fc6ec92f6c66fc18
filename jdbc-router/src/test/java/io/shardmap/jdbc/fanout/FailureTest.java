package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.jdbc.Await;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every way in which a fan-out can end: nothing of it stays on a server or outside a pool. */
class FailureTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three");

    private static final String NOWHERE = "jdbc:postgresql://127.0.0.1:1/none";
    private Cluster cluster;

    @BeforeEach
    void fill() throws SQLException {
        cluster = Cluster.postgres(
                SERVERS,
                "book",
                "create table book (id int primary key, shard int not null, n int not null)",
                "one",
                "two",
                "three");
        for (int shard = 0; shard < Cluster.SHARDS; shard++) {
            cluster.sql(
                    cluster.home(shard),
                    "insert into book select id, " + shard + ", 1 from generate_series(0, 1199) id where id % 12 = "
                            + shard);
        }
    }

    @AfterEach
    void nothingIsLeaked() throws Exception {
        Await.until(() -> cluster.inUse() == 0);
        for (String server : cluster.names()) {
            assertTrue(exclusive(server), "lock left on " + server);
        }
        cluster.close();
    }

    private boolean exclusive(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_try_advisory_xact_lock(1397555201, -1)")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** Lets every read of the table on a server wait until the returned connection is closed. */
    private Connection block(String server) throws SQLException {
        Connection blocker = cluster.admin(server);
        blocker.setAutoCommit(false);
        blocker.createStatement().execute("lock table book in access exclusive mode");
        return blocker;
    }

    private void breakServer(String server) {
        cluster.store.putServer(new Server(server, NOWHERE, null));
        cluster.place(0, cluster.home(0), 1);
    }

    private void openPools() throws SQLException {
        cluster.fanOut().query("select id from book").close();
    }

    private int running(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_stat_activity where datname ="
                        + " current_database() and state <> 'idle' and pid <> pg_backend_pid()"
                        + " and application_name not like 'psql%'")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void aServerThatIsDownFailsTheQueryAndIsNamed() {
        breakServer("three");
        SQLException error = assertThrows(
                SQLTransientConnectionException.class, () -> cluster.fanOut().query("select id from book"));
        assertEquals("08006", error.getSQLState());
        assertTrue(error.getMessage().contains("server=three"), error.getMessage());
    }

    @Test
    void aPartialAnswerNamesTheServerThatIsDown() throws SQLException {
        breakServer("three");
        try (FanOutResult result = cluster.fanOut().partial().query("select id from book order by id")) {
            int rows = 0;
            while (result.resultSet().next()) {
                rows++;
            }
            assertEquals(800, rows);
            List<ServerOutcome> outcomes = result.outcomes();
            assertEquals(
                    List.of("one", "three", "two"),
                    outcomes.stream().map(ServerOutcome::server).toList());
            assertEquals(
                    List.of(400L, 0L, 400L),
                    outcomes.stream().map(ServerOutcome::rows).toList());
            assertNull(outcomes.get(0).error());
            assertNotNull(outcomes.get(1).error());
        }
        assertEquals(
                800L,
                cluster.fanOut()
                        .partial()
                        .query("select count(*) from book", row -> row.getLong(1))
                        .get(0));
    }

    @Test
    void aPartialAnswerOfNoServerIsAnError() {
        SQLException error = assertThrows(
                SQLException.class, () -> cluster.fanOut().partial().query("select missing from book"));
        assertEquals("42703", error.getSQLState());
        assertEquals(2, error.getSuppressed().length);
    }

    @Test
    void theDeadlineNamesTheServersStillOutstanding() throws SQLException {
        try (Connection blocker = block("two")) {
            SQLException error = assertThrows(
                    SQLTimeoutException.class,
                    () -> cluster.fanOut().deadline(Duration.ofMillis(300)).query("select count(*) from book"));
            assertEquals("57014", error.getSQLState());
            assertTrue(error.getMessage().contains("outstanding=[two]"), error.getMessage());
            blocker.rollback();
        }
    }

    @Test
    void theDeadlineAlsoEndsAReaderThatIsTooSlow() throws Exception {
        openPools();
        FanOutResult result =
                cluster.fanOut().fetchSize(10).deadline(Duration.ofSeconds(1)).query("select id from book");
        assertTrue(result.resultSet().next());
        Await.until(() -> exclusive("one") && exclusive("two") && exclusive("three"));
        SQLException error = assertThrows(SQLTimeoutException.class, () -> {
            while (result.resultSet().next()) {}
        });
        assertTrue(error.getMessage().contains("outstanding=[one, three, two]"), error.getMessage());
    }

    @Test
    void oneFailureCancelsTheOthers() throws Exception {
        cluster.sql("one", "update book set n = 0 where id = 0");
        try (Connection blocker = block("two")) {
            SQLException error =
                    assertThrows(SQLException.class, () -> cluster.fanOut().query("select 1 / n from book"));
            assertEquals("22012", error.getSQLState());
            assertTrue(error.getMessage().startsWith("server one: "), error.getMessage());
            // Server two was cancelled; three may have been, or was done already.
            assertTrue(error.getSuppressed().length >= 1);
            blocker.rollback();
        }
    }

    @Test
    void aFailureAmongTheRowsEndsTheQueryOrTheServersShare() throws SQLException {
        cluster.sql("three", "update book set n = 0 where id >= 600");
        String sql = "select 1 / n, id from book";
        SQLException error = assertThrows(
                SQLException.class, () -> cluster.fanOut().fetchSize(10).query(sql, row -> row.getInt(1)));
        assertEquals("22012", error.getSQLState());
        try (FanOutResult result = cluster.fanOut().fetchSize(10).partial().query(sql)) {
            int rows = 0;
            while (result.resultSet().next()) {
                rows++;
            }
            assertTrue(rows >= 800 && rows < 1_200, "rows=" + rows);
            ServerOutcome three = result.outcomes().get(1);
            assertNotNull(three.error());
            assertEquals(rows - 800, three.rows());
        }
    }

    @Test
    void anInterruptedThreadCancelsAndStaysInterrupted() throws Exception {
        try (Connection blocker = block("one")) {
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    cluster.fanOut().query("select id from book").close();
                    interrupted.complete(false);
                } catch (SQLException e) {
                    interrupted.complete(Thread.currentThread().isInterrupted() && "57014".equals(e.getSQLState()));
                }
            });
            caller.start();
            Await.until(() -> waits("one"));
            caller.interrupt();
            assertTrue(interrupted.get(10, TimeUnit.SECONDS));
            blocker.rollback();
        }
    }

    private boolean waits(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_locks where not granted and"
                        + " relation is not null and database = (select oid from pg_database where datname ="
                        + " current_database())")) {
            row.next();
            return row.getInt(1) > 0;
        }
    }

    @Test
    void columnsThatDifferAreAnErrorThatNamesBothServers() throws SQLException {
        cluster.sql("two", "alter table book alter column n type bigint");
        SQLException error =
                assertThrows(SQLException.class, () -> cluster.fanOut().query("select n from book"));
        assertEquals("42804", error.getSQLState());
        assertTrue(error.getMessage().contains("one and two differ, column 1 is n"), error.getMessage());
        error = assertThrows(SQLException.class, () -> cluster.fanOut().query("select id from book order by n::text"));
        assertEquals("0A000", error.getSQLState());
        cluster.sql("two", "alter table book add column extra int");
        error = assertThrows(SQLException.class, () -> cluster.fanOut().query("select * from book"));
        assertTrue(error.getMessage().contains("columns=3 and 4"), error.getMessage());
    }

    @Test
    void textUnderALocaleIsRefusedWithAdvice() throws SQLException {
        for (String server : cluster.names()) {
            cluster.sql(server, "alter table book add column t text collate \"und-x-icu\"");
        }
        SQLException error =
                assertThrows(SQLException.class, () -> cluster.fanOut().query("select id from book order by t"));
        assertEquals("0A000", error.getSQLState());
        assertTrue(error.getMessage().contains("write ORDER BY t COLLATE \"C\""), error.getMessage());
        assertEquals(
                1_200,
                cluster.fanOut()
                        .query("select id from book order by t collate \"C\"", row -> row.getInt(1))
                        .size());
    }

    @Test
    void aSlowReaderSlowsTheServers() throws Exception {
        try (FanOutResult result = cluster.fanOut().fetchSize(5).query("select id from book")) {
            for (int i = 0; i < 7; i++) {
                assertTrue(result.resultSet().next());
            }
            assertEquals(3, cluster.inUse());
            assertEquals(1, running("one"));
            assertEquals(
                    List.of(5L, 2L, 0L),
                    result.outcomes().stream().map(ServerOutcome::rows).toList());
        }
    }

    @Test
    void manyFanOutsOnSmallPoolsDoNotWaitInACircle() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ShardRouter router = cluster.router(2)) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                boolean counting = thread % 2 == 0;
                counts.add(threads.submit(() -> {
                    long sum = 0;
                    for (int i = 0; i < 15; i++) {
                        FanOut fanOut = router.fanOut(Cluster.MAP).fetchSize(50);
                        sum += counting
                                ? fanOut.query("select count(*) from book", row -> row.getLong(1))
                                        .get(0)
                                : fanOut.query("select id from book order by id desc", row -> row.getInt(1))
                                        .size();
                    }
                    return sum;
                }));
            }
            for (Future<Long> count : counts) {
                assertEquals(15 * 1_200L, count.get(60, TimeUnit.SECONDS));
            }
            assertEquals(0, Cluster.inUse(router));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void anExhaustedPoolIsWaitedForUntilTheDeadline() throws Exception {
        try (ShardRouter router = cluster.router(1)) {
            try (Connection taken = router.openServer(Cluster.MAP, "two")) {
                assertFalse(taken.isClosed());
                SQLException error = assertThrows(
                        SQLTimeoutException.class,
                        () -> router.fanOut(Cluster.MAP)
                                .deadline(Duration.ofMillis(200))
                                .query("select id from book"));
                assertTrue(error.getMessage().contains("two"), error.getMessage());
            }
            Await.until(() -> Cluster.inUse(router) == 0);
            assertEquals(
                    1_200,
                    router.fanOut(Cluster.MAP)
                            .query("select id from book", row -> row.getInt(1))
                            .size());
        }
    }

    @Test
    void concurrencyPerServerIsALimit() throws Exception {
        FanOut one = cluster.fanOut().concurrencyPerServer(1);
        FanOutResult first = one.query("select id from book");
        assertThrows(
                SQLTimeoutException.class,
                () -> one.deadline(Duration.ofMillis(100)).query("select id from book"));
        first.close();
        one.query("select id from book").close();
        one.fetchSize(3).partial().query("select id from book").close();
    }

    @Test
    void aMapperThatThrowsEndsTheQuery() {
        SQLException error = assertThrows(
                SQLException.class,
                () -> cluster.fanOut().query("select id from book", row -> {
                    throw new SQLException("mapper");
                }));
        assertEquals("mapper", error.getMessage());
    }

    @Test
    void theCallersExecutorRunsTheShares() throws SQLException {
        List<Thread> used = new ArrayList<>();
        FanOut fanOut = cluster.fanOut().executor(task -> {
            used.add(Thread.currentThread());
            task.run();
        });
        assertEquals(
                IntStream.range(0, 1_200).boxed().toList(),
                fanOut.query("select id from book order by id", row -> row.getInt(1)));
        assertTrue(used.size() >= 2);
        assertTrue(used.stream().allMatch(Thread.currentThread()::equals));
    }

    @Test
    void writesAreRefusedByTheServersToo() {
        SQLException error =
                assertThrows(SQLException.class, () -> cluster.fanOut().query("select setval('x', 1) from book"));
        assertEquals("0A000", error.getSQLState());
    }
}
