package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.testkit.PostgresServers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** What an application does in STRICT mode goes on over an online move as if there were none, whatever part of JDBC it uses. */
@Execution(ExecutionMode.CONCURRENT)
class OnlineTransparencyTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);
    private static final int ROWS = 13;
    private static final String INSERT = "insert into account (vs, id, name) values (?, ?, 'new')";

    private static MoveWorld world;
    private static ShardRouter router;

    private ReversibleStory story;
    private Connection application;

    @BeforeAll
    static void openWorld() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
        router = ShardRouter.builder(world.store)
                .credentials(server -> new Credentials(
                        servers.get("a").user(), servers.get("a").password()))
                .pool(config -> config.setMaximumPoolSize(40))
                .build();
    }

    @AfterAll
    static void closeWorld() {
        router.close();
        world.close();
    }

    @BeforeEach
    void open() throws SQLException {
        story = ReversibleStory.begin(world);
        application = router.openConnection(MoveWorld.MAP, (long) story.shard());
    }

    @AfterEach
    void close() throws SQLException {
        application.close();
    }

    private MoveId start() {
        return world.moves().start(MoveWorld.MAP, story.shard(), "b", ONLINE);
    }

    /** Begins the move and returns when its mover is at a point, where it stays until it is let go. */
    private final class Mover {
        private final MoveId id = start();
        private final Death.Pause pause;
        private final CompletableFuture<Throwable> end;

        Mover(CrashPoint point) throws InterruptedException {
            pause = new Death.Pause(point);
            end = MoveContract.runInBackground(world.moves().withHooks(pause), id);
            pause.awaitArrival();
        }

        void letGo() {
            pause.letGo();
        }

        void assertWaits() {
            assertThrows(TimeoutException.class, () -> end.get(1, TimeUnit.SECONDS));
            assertTrue(!world.moves().status(id).state().isSwitched());
        }

        void assertDone() throws Exception {
            assertEquals(null, end.get(120, TimeUnit.SECONDS));
            assertEquals(MoveState.DONE, world.moves().status(id).state());
        }

        /** All is on the target, with so many accounts beside those that were there. */
        void assertDone(int more) throws Exception {
            assertDone();
            List<String> rows = world.contents("b", story.shard());
            assertEquals(story.contents().size() + more, rows.size());
            story.assertAtRest("b", rows, id);
        }
    }

    private void move(int more) throws Exception {
        Mover mover = new Mover(CrashPoint.BEFORE_LEASE);
        mover.letGo();
        mover.assertDone(more);
    }

    private void begin(int isolation) throws SQLException {
        application.setTransactionIsolation(isolation);
        application.setAutoCommit(false);
    }

    private void insert(int id) throws SQLException {
        try (PreparedStatement insert = application.prepareStatement(INSERT)) {
            insertWith(insert, id);
        }
    }

    private void insertWith(PreparedStatement insert, int id) throws SQLException {
        bind(insert, id);
        assertEquals(1, insert.executeUpdate());
    }

    private void bind(PreparedStatement insert, int id) throws SQLException {
        insert.setInt(1, story.shard());
        insert.setInt(2, id);
    }

    private long count() throws SQLException {
        try (Statement statement = application.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from account where vs = " + story.shard())) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Runs something on a thread of its own that is expected to wait. */
    private static <T> FutureTask<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "application");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static void assertWaits(FutureTask<?> task) {
        assertThrows(TimeoutException.class, () -> task.get(300, TimeUnit.MILLISECONDS));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aLongTransactionFinishesWhereItBeganAndTheFenceWaits(int isolation) throws Exception {
        Mover mover = new Mover(CrashPoint.AFTER_CATCH_UP);
        begin(isolation);
        assertEquals(ROWS, count());
        insert(100);
        mover.letGo();
        mover.assertWaits();
        Savepoint savepoint = application.setSavepoint();
        insert(101);
        application.rollback(savepoint);
        insert(102);
        assertEquals(ROWS + 2, count(), "sees what it wrote");
        application.commit();

        mover.assertDone(2);
        assertEquals(ROWS + 2, count(), "the next transaction sees it in the new home");
        insert(103);
        application.commit();
        assertEquals(
                story.contents().size() + 3, world.contents("b", story.shard()).size());
        assertEquals(List.of(), world.contents("a", story.shard()));
    }

    /** Its snapshot is older than the switch, whichever server it was taken on first. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aTransactionThatBeginsAtTheFenceRunsInTheNewHome(int isolation) throws Exception {
        insert(100);
        for (boolean writes : new boolean[] {false, true}) {
            if (writes) {
                close();
                open();
                insert(100);
            }
            Mover mover = new Mover(CrashPoint.BEFORE_SWITCH);
            begin(isolation);
            FutureTask<Long> transaction = inBackground(() -> {
                if (writes) {
                    insert(101);
                }
                long seen = count();
                application.commit();
                return seen;
            });
            assertWaits(transaction);
            mover.letGo();

            assertEquals(ROWS + (writes ? 2 : 1), transaction.get(60, TimeUnit.SECONDS));
            mover.assertDone(writes ? 2 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void preparedStatementsAreKept(boolean autoCommit) throws Exception {
        application.setAutoCommit(autoCommit);
        try (PreparedStatement insert = application.prepareStatement(INSERT);
                PreparedStatement query =
                        application.prepareStatement("select count(*) from account where vs = ? and id >= ?")) {
            // More often than the driver's threshold: the server knows them by name.
            for (int id = 100; id < 110; id++) {
                insertWith(insert, id);
                assertEquals(id - 99, countWith(query));
                commit(autoCommit);
            }
            move(10);
            for (int id = 110; id < 120; id++) {
                insertWith(insert, id);
                assertEquals(id - 99, countWith(query));
                commit(autoCommit);
            }
        }
        assertEquals(List.of(), world.contents("a", story.shard()));
        assertEquals(
                story.contents().size() + 20, world.contents("b", story.shard()).size());
    }

    private long countWith(PreparedStatement query) throws SQLException {
        bind(query, 100);
        try (ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private void commit(boolean autoCommit) throws SQLException {
        if (!autoCommit) {
            application.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchThatMeetsTheFenceIsWrittenOnceInTheNewHome(boolean autoCommit) throws Exception {
        application.setAutoCommit(autoCommit);
        try (PreparedStatement batch = application.prepareStatement(INSERT)) {
            for (int id = 100; id < 300; id++) {
                bind(batch, id);
                batch.addBatch();
            }
            Mover mover = new Mover(CrashPoint.BEFORE_SWITCH);
            FutureTask<int[]> counts = inBackground(() -> {
                int[] done = batch.executeBatch();
                commit(autoCommit);
                return done;
            });
            assertWaits(counts);
            mover.letGo();

            int[] done = counts.get(60, TimeUnit.SECONDS);
            assertEquals(200, done.length);
            assertArrayEquals(IntStream.generate(() -> 1).limit(200).toArray(), done);
            mover.assertDone(200);
        }
    }

    private CopyIn copy() throws SQLException {
        return application.unwrap(PGConnection.class).getCopyAPI().copyIn("copy account (vs, id, name) from stdin");
    }

    private void copy(CopyIn copy, int from, int to) throws SQLException {
        for (int id = from; id < to; id++) {
            byte[] row = (story.shard() + "\t" + id + "\tcopied\n").getBytes(StandardCharsets.UTF_8);
            copy.writeToCopy(row, 0, row.length);
        }
        copy.flushCopy();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void aCopyThroughTheDriversConnectionFinishesAndTheFenceWaits(int isolation) throws Exception {
        Mover mover = new Mover(CrashPoint.AFTER_CATCH_UP);
        begin(isolation);
        CopyIn copy = copy();
        copy(copy, 100, 150);
        mover.letGo();
        mover.assertWaits();
        copy(copy, 150, 200);
        assertEquals(100, copy.endCopy());
        application.commit();

        mover.assertDone(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void aCopyThatBeginsAtTheFenceGoesToTheNewHome(int isolation) throws Exception {
        Mover mover = new Mover(CrashPoint.BEFORE_SWITCH);
        begin(isolation);
        FutureTask<Long> copied = inBackground(() -> {
            CopyIn copy = copy();
            copy(copy, 100, 200);
            long rows = copy.endCopy();
            application.commit();
            return rows;
        });
        assertWaits(copied);
        mover.letGo();

        assertEquals(100, copied.get(60, TimeUnit.SECONDS));
        mover.assertDone(100);
    }

    /** Nobody validates what is done with it then: the guard of the tables does. */
    @Test
    void aDriversConnectionKeptOverTheMoveIsRefusedByTheOldHome() throws Exception {
        application.setAutoCommit(false);
        PGConnection kept = application.unwrap(PGConnection.class);
        application.commit();
        move(0);

        CopyIn copy = kept.getCopyAPI().copyIn("copy account (vs, id, name) from stdin");
        copy(copy, 100, 101);
        SQLException refusal = assertThrows(SQLException.class, copy::endCopy);

        assertEquals("SM005", refusal.getSQLState(), refusal::getMessage);
        assertEquals(List.of(), world.contents("a", story.shard()));
    }

    @Test
    void aCursorIsReadToItsEndAndTheFenceWaits() throws Exception {
        Mover mover = new Mover(CrashPoint.AFTER_CATCH_UP);
        begin(Connection.TRANSACTION_REPEATABLE_READ);
        try (PreparedStatement query =
                application.prepareStatement("select id from account where vs = ? order by id")) {
            query.setFetchSize(2);
            query.setInt(1, story.shard());
            try (ResultSet rows = query.executeQuery()) {
                assertTrue(rows.next());
                mover.letGo();
                mover.assertWaits();
                int read = 1;
                while (rows.next()) {
                    read++;
                    assertEquals(read, rows.getInt(1));
                }
                assertEquals(ROWS, read);
            }
        }
        application.commit();

        mover.assertDone(0);
        assertEquals(ROWS, count());
        application.commit();
    }
}
