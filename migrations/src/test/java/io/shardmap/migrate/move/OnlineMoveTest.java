package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the portable method's contract asks of moves, asked of the online one; and that no stream is left behind. */
@Execution(ExecutionMode.CONCURRENT)
class OnlineMoveTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);

    /** PostgreSQL 15 begins one stream per interval, so that some of many would wait for minutes. */
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("wal_retrieve_retry_interval", "200ms")
            .build();

    /** A server has ten replication origins unless it is told otherwise; a mover that died keeps one. */
    private static final Semaphore STREAMS = new Semaphore(8);

    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
    }

    @BeforeEach
    void begin() throws InterruptedException {
        STREAMS.acquire();
    }

    @AfterEach
    void end() {
        STREAMS.release();
    }

    @AfterAll
    static void close() {
        world.close();
    }

    private record Story(int shard, List<String> contents, List<String> neighbour) {
        static Story begin() throws SQLException {
            int shard = world.shard();
            return new Story(shard, world.contents("a", shard), world.contents("a", shard + 1));
        }

        MoveId start(String target) {
            return world.moves().start(MoveWorld.MAP, shard, target, ONLINE);
        }

        void assertAtRest(String owner, MoveId id) throws SQLException {
            world.assertAtRest(shard, owner, contents, neighbour);
            for (String server : List.of("a", "b")) {
                assertEquals(List.of(), leftBehind(server, id), server);
            }
        }
    }

    private static List<String> leftBehind(String server, MoveId id) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select kind || ' ' || name from (
                            select 'slot' as kind, slot_name::text as name from pg_replication_slots
                            union all select 'publication', pubname::text from pg_publication
                            union all select 'subscription', subname::text from pg_subscription) t
                        where name like 'shardmap_probe%' or name like 'shardmap_move_""" + id + "\\_%'")) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }

    static Stream<CrashPoint> forwardPoints() {
        return EnumSet.complementOf(EnumSet.of(
                        CrashPoint.AFTER_FENCE,
                        CrashPoint.BEFORE_FENCE_RENEWAL,
                        CrashPoint.BEFORE_REOPEN,
                        CrashPoint.AFTER_REOPEN,
                        CrashPoint.AFTER_CLEAR,
                        CrashPoint.AFTER_ABORTED))
                .stream()
                .filter(point -> !Death.OF_A_WAY_BACK.contains(point));
    }

    @Test
    void aVirtualShardMovesWithAllItsRowsAndBackAgain() throws SQLException {
        Story story = Story.begin();
        MoveId there = story.start("b");

        assertEquals(MoveState.DONE, world.moves().run(there).state());
        story.assertAtRest("b", there);

        MoveId back = story.start("a");
        assertEquals(MoveState.DONE, world.moves().run(back).state());
        story.assertAtRest("a", back);
        assertEquals(3, world.map().virtualShards().get(story.shard).epoch());
    }

    @ParameterizedTest
    @MethodSource("forwardPoints")
    void aMoveWhoseMoverDiedGoesOnToTheTarget(CrashPoint point) throws SQLException {
        Story story = Story.begin();
        MoveId id = story.start("b");
        assertThrows(Death.class, () -> world.moves().withHooks(Death.at(point)).run(id));

        assertEquals(MoveState.DONE, world.moves().resume(id).state());

        story.assertAtRest("b", id);
    }

    @ParameterizedTest
    @MethodSource("forwardPoints")
    void aMoveWhoseMoverDiedGoesBackUnlessItHasSwitched(CrashPoint point) throws SQLException {
        Story story = Story.begin();
        MoveId id = story.start("b");
        assertThrows(Death.class, () -> world.moves().withHooks(Death.at(point)).run(id));

        if (world.moves().status(id).state().isSwitched()) {
            ShardMapException refusal =
                    assertThrows(ShardMapException.class, () -> world.moves().cancel(id));
            assertEquals(ErrorCode.NOT_SUPPORTED, refusal.code());
            world.moves().resume(id);
            story.assertAtRest("b", id);
        } else {
            assertEquals(Ownership.State.OPEN, world.ownership("a", story.shard).state(), "nothing is fenced");
            assertEquals(MoveState.ABORTED, world.moves().cancel(id).state());
            story.assertAtRest("a", id);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {
                "BEFORE_REOPEN",
                "AFTER_REOPEN",
                "AFTER_SUBSCRIPTION_DROPPED",
                "AFTER_SLOT_DROPPED",
                "AFTER_PUBLICATION_DROPPED",
                "AFTER_CLEAR",
                "AFTER_ABORTED"
            })
    void aCancellationThatDiedIsCompletedByResuming(CrashPoint point) throws SQLException {
        Story story = Story.begin();
        MoveId id = story.start("b");
        assertThrows(
                Death.class,
                () -> world.moves()
                        .withHooks(Death.at(CrashPoint.AFTER_VERIFIED))
                        .run(id));
        assertThrows(Death.class, () -> world.moves().withHooks(Death.at(point)).cancel(id));

        assertEquals(MoveState.ABORTED, world.moves().resume(id).state());

        story.assertAtRest("a", id);
    }

    @Test
    void aMismatchUndoesTheMoveAndLosesNothing() throws SQLException {
        Story story = Story.begin();
        MoveId id = story.start("b");
        MoveHooks tamper = point -> {
            if (point == CrashPoint.AFTER_COPY) {
                tamperOn("b", story.shard);
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(tamper).run(id));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains("table=account"), failure.getMessage());
        assertEquals(MoveState.ABORTED, world.moves().status(id).state());
        story.assertAtRest("a", id);
    }

    /** Where a paused mover holds a connection, a lock or a half-made stream that its successor must end. */
    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {
                "AFTER_STREAM_RECORDED",
                "AFTER_PUBLICATION",
                "AFTER_SLOT",
                "AFTER_BATCH",
                "AFTER_SUBSCRIPTION",
                "AFTER_VERIFIED",
                "BEFORE_DRAIN",
                "BEFORE_SWITCH",
                "AFTER_SWITCH",
                "BEFORE_CLOSE_COMMIT",
                "AFTER_CLOSE",
                "AFTER_OPEN",
                "AFTER_SUBSCRIPTION_DROPPED",
                "BEFORE_CLEAN"
            })
    void aPausedMoverThatWakesUpAfterItsSuccessorFinishedDoesNoHarm(CrashPoint point) throws Exception {
        Story story = Story.begin();
        MoveId id = story.start("b");
        Death.Pause pause = new Death.Pause(point);
        CompletableFuture<Throwable> paused =
                MoveContract.runInBackground(world.moves().withHooks(pause), id);
        pause.awaitArrival();

        assertEquals(MoveState.DONE, world.moves().resume(id).state());
        pause.letGo();
        paused.get(60, TimeUnit.SECONDS);

        story.assertAtRest("b", id);
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"AFTER_STREAM_RECORDED", "AFTER_PUBLICATION", "AFTER_SLOT", "AFTER_SUBSCRIPTION", "BEFORE_SWITCH"})
    void aPausedMoverThatWakesUpAfterItsMoveWasCancelledDoesNoHarm(CrashPoint point) throws Exception {
        Story story = Story.begin();
        MoveId id = story.start("b");
        Death.Pause pause = new Death.Pause(point);
        CompletableFuture<Throwable> paused =
                MoveContract.runInBackground(world.moves().withHooks(pause), id);
        pause.awaitArrival();

        assertEquals(MoveState.ABORTED, world.moves().cancel(id).state());
        pause.letGo();
        Throwable end = paused.get(60, TimeUnit.SECONDS);

        assertTrue(end instanceof ShardMapException, () -> String.valueOf(end));
        story.assertAtRest("a", id);
    }

    /** The map has switched, but the lock went with the mover and the source still serves those who know only its epoch. */
    @Test
    void whatTheSourceAcknowledgedAfterItsMoverDiedAtTheSwitchIsNotLost() throws SQLException {
        Story story = Story.begin();
        Route stale = world.map().routeOf(story.shard);
        MoveId id = story.start("b");
        assertThrows(
                Death.class,
                () -> world.moves().withHooks(Death.at(CrashPoint.AFTER_SWITCH)).run(id));

        assertEquals(Refusal.NONE, write(stale, story.shard));
        List<String> written = world.contents("a", story.shard);
        assertEquals(MoveState.DONE, world.moves().resume(id).state());

        assertEquals(story.contents.size() + 1, written.size());
        new Story(story.shard, written, story.neighbour).assertAtRest("b", id);
        assertEquals(Refusal.STALE, write(stale, story.shard));
    }

    private static Refusal write(Route route, int shard) throws SQLException {
        try (Connection connection = world.pools.open(route.server());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            Refusal refusal = world.pools.dialect(route.server()).tryEnter(connection, route);
            if (refusal == Refusal.NONE) {
                statement.execute("insert into account (vs, id, name) values (" + shard + ", 99, 'late')");
                connection.commit();
            } else {
                connection.rollback();
            }
            return refusal;
        }
    }

    /** The stream cannot be completed after the switch: then the closed source is copied as the portable method does. */
    @Test
    void aStreamThatIsGoneAfterTheSwitchIsReplacedByACopy() throws SQLException {
        Story story = Story.begin();
        Route stale = world.map().routeOf(story.shard);
        MoveId id = story.start("b");
        assertThrows(
                Death.class,
                () -> world.moves().withHooks(Death.at(CrashPoint.AFTER_SWITCH)).run(id));
        String stream = leftBehind("b", id).get(0).replace("subscription ", "");
        for (String statement : List.of("disable", "set (slot_name = none)")) {
            world.execute(world.server("b"), "alter subscription " + stream + " " + statement);
        }
        world.execute(world.server("b"), "drop subscription " + stream);
        assertEquals(Refusal.NONE, write(stale, story.shard));
        List<String> written = world.contents("a", story.shard);

        assertEquals(MoveState.DONE, world.moves().resume(id).state());

        new Story(story.shard, written, story.neighbour).assertAtRest("b", id);
    }

    /** A slot waits for every transaction that writes on the source. */
    @Test
    void aSlotThatCannotBeMadeInTimeUndoesTheMove() throws SQLException {
        Story story = Story.begin();
        MoveOptions impatient = ONLINE.withLockWait(Duration.ofSeconds(10));
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard, "b", impatient);
        try (Connection writer = servers.get("a").openConnection();
                Statement statement = writer.createStatement()) {
            MoveHooks blocks = point -> {
                if (point == CrashPoint.AFTER_PUBLICATION) {
                    try {
                        writer.setAutoCommit(false);
                        statement.execute("create temporary table waits (n int)");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };

            ShardMapException failure = assertThrows(
                    ShardMapException.class,
                    () -> world.moves().withHooks(blocks).run(id));

            assertEquals(ErrorCode.STEP_FAILED, failure.code());
            assertTrue(failure.getMessage().startsWith("slot must be made in time"), failure.getMessage());
            assertEquals(MoveState.ABORTED, world.moves().status(id).state());
            story.assertAtRest("a", id);
            writer.rollback();
        }
    }

    @Test
    void aSlotThatKeepsMoreLogThanTheLimitUndoesTheMove() throws SQLException {
        Story story = Story.begin();
        MoveId id = world.moves()
                .start(
                        MoveWorld.MAP,
                        story.shard,
                        "b",
                        ONLINE.withOnline(OnlineOptions.DEFAULT.withWalLimit(1_000_000)));
        MoveHooks writes = point -> {
            if (point == CrashPoint.AFTER_COPY) {
                try {
                    world.execute(
                            world.server("a"), "select pg_logical_emit_message(true, 'test', repeat('x', 2000000))");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(writes).run(id));

        assertEquals(ErrorCode.STEP_FAILED, failure.code());
        assertTrue(failure.getMessage().contains("limit=1000000"), failure.getMessage());
        story.assertAtRest("a", id);
    }

    /** Neither the journal nor the move says how the target logs in. */
    @Test
    void theListenerAndTheJournalTellEveryStateAndTheNameOfTheStream() throws SQLException {
        Story story = Story.begin();
        List<String> told = new ArrayList<>();
        MoveListener listener = new MoveListener() {
            @Override
            public void entered(MoveStatus move) {
                told.add(move.state().name());
            }

            @Override
            public void paused(MoveStatus move, Duration pause, boolean switched) {
                told.add("paused " + switched);
            }
        };
        MoveId id = story.start("b");

        world.moves().withListener(listener).run(id);

        assertEquals(
                List.of(
                        "PREFLIGHTED",
                        "COPYING",
                        "CATCHING_UP",
                        "paused false",
                        "VERIFIED",
                        "SWITCHED",
                        "paused true",
                        "CLEANING",
                        "DONE"),
                told);
        List<JournalEntry> journal = world.moves().journal(id);
        assertTrue(
                journal.stream()
                        .anyMatch(entry -> entry.step().equals("STREAM")
                                && String.valueOf(entry.detail()).startsWith("shardmap_move_" + id + "_")),
                journal::toString);
        assertFalse(journal.toString().contains("host="), journal::toString);
    }

    /** The cut-over is tried until a transaction that holds the shared lock has ended; nobody waits meanwhile. */
    @Test
    void aLongTransactionOfTheVirtualShardDelaysTheCutOverOnly() throws Exception {
        Story story = Story.begin();
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard, "b", ONLINE.withLockWait(Duration.ofSeconds(60)));
        Death.Pause pause = new Death.Pause(CrashPoint.AFTER_CATCH_UP);
        Route route = world.map().routeOf(story.shard);
        List<String> written;
        CompletableFuture<Throwable> mover;
        try (Connection writer = world.pools.open(route.server());
                Statement statement = writer.createStatement()) {
            mover = MoveContract.runInBackground(world.moves().withHooks(pause), id);
            pause.awaitArrival(mover);
            writer.setAutoCommit(false);
            assertEquals(Refusal.NONE, world.pools.dialect(route.server()).tryEnter(writer, route));
            statement.execute("insert into account (vs, id, name) values (" + story.shard + ", 98, 'long')");
            pause.letGo();
            assertThrows(TimeoutException.class, () -> mover.get(2, TimeUnit.SECONDS));
            assertEquals(Refusal.NONE, write(route, story.shard));
            writer.commit();
        }
        assertEquals(null, mover.get(60, TimeUnit.SECONDS));

        written = world.contents("b", story.shard);
        assertEquals(story.contents.size() + 2, written.size());
        new Story(story.shard, written, story.neighbour).assertAtRest("b", id);
    }

    private static void tamperOn(String server, int shard) {
        try {
            world.execute(
                    world.server(server),
                    "set session_replication_role = replica; update account set balance = balance + 1 where id = 3 and vs = "
                            + shard + "; reset session_replication_role");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
