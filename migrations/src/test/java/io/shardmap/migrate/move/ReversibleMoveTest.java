package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A move that keeps a way back: it waits without a mover, is taken back with all that was written meanwhile, or completed. */
class ReversibleMoveTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("wal_retrieve_retry_interval", "200ms")
            .build();

    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @Test
    void aMoveIsTakenBackWithEverythingWrittenMeanwhile() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        ReversibleStory story = waiting.story();
        story.assertWaiting(waiting.id());
        List<String> written = story.write(1);
        assertTrue(!written.equals(story.contents()), "something was written");
        story.assertWaiting(waiting.id());

        MoveStatus reversed = world.moves().reverse(waiting.id());

        assertEquals(MoveState.REVERSED, reversed.state());
        story.assertAtRest("a", written, waiting.id());
        assertEquals(3, world.map().virtualShards().get(story.shard()).epoch());
        List<String> more = story.write(2);
        assertTrue(more.size() > written.size() - 2, "numbers that the new home gave are not given again");
        assertEquals(reversed.state(), world.moves().reverse(waiting.id()).state());
    }

    @Test
    void aMoveIsCompleted() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        List<String> written = waiting.story().write(1);

        assertEquals(MoveState.DONE, world.moves().complete(waiting.id()).state());

        waiting.story().assertAtRest("b", written, waiting.id());
        assertEquals(MoveState.DONE, world.moves().complete(waiting.id()).state(), "again changes nothing");
    }

    /** The stream there has brought these to the new home after the slot of the way back was made. */
    @Test
    void whatCameFromTheOldHomeIsNotSentBackToIt() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = story.start("b");
        AtomicReference<List<String>> written = new AtomicReference<>(List.of());
        MoveHooks writes = point -> {
            if (point == CrashPoint.AFTER_VERIFIED) {
                try {
                    written.set(story.write(1));
                } catch (SQLException failure) {
                    throw new IllegalStateException(failure);
                }
            }
        };
        assertEquals(
                MoveState.REVERSIBLE, world.moves().withHooks(writes).run(id).state());
        assertEquals(written.get(), world.contents("b", story.shard()));
        List<String> more = story.write(2);

        story.assertWaiting(id);

        assertEquals(MoveState.REVERSED, world.moves().reverse(id).state());
        story.assertAtRest("a", more, id);
    }

    @Test
    void movesFollowOneAnotherThereAndBackWithAndWithoutAWayBack() throws SQLException {
        ReversibleStory.Waiting first = ReversibleStory.waiting(world);
        ReversibleStory story = first.story();
        world.moves().complete(first.id());
        MoveId back = story.start("a");
        assertEquals(MoveState.REVERSIBLE, world.moves().run(back).state());
        story.write(1);
        assertEquals(MoveState.REVERSED, world.moves().reverse(back).state());
        MoveId plain = world.moves()
                .start(MoveWorld.MAP, story.shard(), "a", MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT));
        assertEquals(MoveState.DONE, world.moves().run(plain).state());
        List<String> written = story.write(2);
        MoveId again = story.start("b");
        assertEquals(MoveState.REVERSIBLE, world.moves().run(again).state());
        assertEquals(MoveState.REVERSED, world.moves().reverse(again).state());

        story.assertAtRest("a", written, again);
        for (MoveId id : List.of(first.id(), back, plain)) {
            story.assertAtRest("a", written, id);
        }
    }

    @Test
    void anotherMoveOfAVirtualShardThatWaitsIsRefusedWithTheTwoWaysOut() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);

        ShardMapException refusal =
                assertThrows(ShardMapException.class, () -> waiting.story().start("a"));

        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains("shardmap move complete " + waiting.id()), message);
        assertTrue(message.contains("shardmap move reverse " + waiting.id()), message);
        ShardMapException cancelled =
                assertThrows(ShardMapException.class, () -> world.moves().cancel(waiting.id()));
        assertTrue(cancelled.getMessage().endsWith("reverse it"), cancelled.getMessage());
        assertEquals(MoveState.REVERSIBLE, world.moves().resume(waiting.id()).state(), "nothing to resume");
        world.moves().complete(waiting.id());
    }

    @Test
    void onlyAMoveThatWaitsIsReversedOrCompleted() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = world.moves()
                .start(MoveWorld.MAP, story.shard(), "b", MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT));

        refuses(
                "move=" + id + ", state=PLANNED; resume it first",
                () -> world.moves().reverse(id));
        refuses(
                "move=" + id + ", state=PLANNED; resume it first",
                () -> world.moves().complete(id));
        world.moves().run(id);
        refuses(
                "move=" + id + ", state=DONE; move the virtual shard back",
                () -> world.moves().reverse(id));
    }

    private static void refuses(String end, org.junit.jupiter.api.function.Executable call) {
        ShardMapException refusal = assertThrows(ShardMapException.class, call);
        assertEquals(ErrorCode.NOT_SUPPORTED, refusal.code());
        assertTrue(refusal.getMessage().contains(end), refusal.getMessage());
    }

    /** Rows that somebody changes on the old server behind its back are noticed, and the new home goes on serving. */
    @Test
    void aMismatchLeavesTheMoveWaiting() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        int shard = waiting.story().shard();
        onTheOldServer("update account set balance = balance + 1 where id = 3 and vs = " + shard);

        ShardMapException failure =
                assertThrows(ShardMapException.class, () -> world.moves().reverse(waiting.id()));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        MoveStatus move = world.moves().status(waiting.id());
        assertEquals(MoveState.REVERSIBLE, move.state());
        assertEquals(failure.getMessage(), move.error());
        assertTrue(!move.leaseLive());
        onTheOldServer("update account set balance = balance - 1 where id = 3 and vs = " + shard);
        List<String> written = waiting.story().write(1);
        assertEquals(MoveState.REVERSED, world.moves().reverse(waiting.id()).state());
        waiting.story().assertAtRest("a", written, waiting.id());
    }

    private static void onTheOldServer(String sql) throws SQLException {
        world.execute(
                world.server("a"),
                "set session_replication_role = replica; " + sql + "; reset session_replication_role");
    }

    /** A TRUNCATE is not replicated, so the old server must not be trusted. */
    @Test
    void rowsThatTheStreamDoesNotCarryAreNotLostUnseen() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        world.execute(
                world.server("b"),
                "set session_replication_role = replica; delete from ledger where vs = "
                        + waiting.story().shard());
        waiting.story().assertSame();
        onTheOldServer("insert into ledger (vs, account, amount) values ("
                + waiting.story().shard() + ", 1, 1)");

        ShardMapException failure =
                assertThrows(ShardMapException.class, () -> world.moves().reverse(waiting.id()));

        assertTrue(failure.getMessage().contains("table=ledger"), failure.getMessage());
        world.moves().complete(waiting.id());
    }

    @Test
    void aSlotThatKeepsMoreLogThanTheLimitIsFreedAndTheMoveCanOnlyBeCompleted() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        OnlineOptions little = OnlineOptions.DEFAULT.withReversible(true).withWalLimit(1_000_000);
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", MoveWorld.QUICK.withOnline(little));
        assertEquals(MoveState.REVERSIBLE, world.moves().run(id).state());
        assertEquals(MoveState.REVERSIBLE, world.moves().guard(id).state(), "little is kept");
        String subscription = story.parts("a", id).get(0).replace("subscription ", "");
        world.execute(world.server("a"), "alter subscription " + subscription + " disable");
        world.execute(
                world.server("b"),
                "select pg_logical_emit_message(true, 'test', repeat('x', 2000000)), pg_switch_wal()");

        MoveStatus given = world.moves().guard(id);

        assertEquals(MoveState.IRREVERSIBLE, given.state());
        assertTrue(String.valueOf(given.error()).contains("limit=1000000"), given::toString);
        assertTrue(!given.leaseLive() && !given.isOrphaned(), given::toString);
        assertEquals(List.of(), story.parts("b", id));
        List<String> written = story.write(1);
        refuses(
                "state=IRREVERSIBLE; the way back was given up",
                () -> world.moves().reverse(id));
        assertTrue(assertThrows(ShardMapException.class, () -> story.start("a"))
                .getMessage()
                .contains("move complete " + id));
        assertEquals(MoveState.DONE, world.moves().complete(id).state());
        story.assertAtRest("b", written, id);
    }

    @Test
    void aSlotThatIsGoneGivesTheWayBackUp() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        String subscription = waiting.story().parts("a", waiting.id()).get(0).replace("subscription ", "");
        world.execute(world.server("a"), "alter subscription " + subscription + " disable");
        ReversibleStory.await("slot that nobody reads", () -> {
            try {
                world.execute(
                        world.server("b"),
                        "select 1 / count(*) from pg_replication_slots where not active and slot_name = '"
                                + subscription + "'");
                return true;
            } catch (SQLException active) {
                return false;
            }
        });
        world.execute(world.server("b"), "select pg_drop_replication_slot('" + subscription + "')");

        ShardMapException failure =
                assertThrows(ShardMapException.class, () -> world.moves().reverse(waiting.id()));

        assertEquals(ErrorCode.STEP_FAILED, failure.code());
        assertEquals(MoveState.IRREVERSIBLE, world.moves().status(waiting.id()).state());
        world.moves().complete(waiting.id());
        waiting.story().assertAtRest("b", waiting.story().contents(), waiting.id());
    }

    /** The map has switched back, but the lock went with the mover and the new home still serves those who know only its epoch. */
    @Test
    void whatTheNewHomeAcknowledgedAfterTheMoverDiedAtTheSwitchBackIsNotLost() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        ReversibleStory story = waiting.story();
        Route stale = world.map().routeOf(story.shard());
        assertThrows(
                Death.class,
                () -> world.moves().withHooks(Death.at(CrashPoint.AFTER_SWITCH)).reverse(waiting.id()));

        assertEquals(Refusal.NONE, story.write(stale, 1));
        List<String> written = world.contents("b", story.shard());
        assertEquals(MoveState.REVERSED, world.moves().resume(waiting.id()).state());

        story.assertAtRest("a", written, waiting.id());
        assertEquals(Refusal.STALE, story.write(stale, 2));
    }

    /** The stream back cannot be completed after the switch back: then the closed new home is copied. */
    @Test
    void aStreamBackThatIsGoneAfterTheSwitchBackIsReplacedByACopy() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        ReversibleStory story = waiting.story();
        Route stale = world.map().routeOf(story.shard());
        assertThrows(
                Death.class,
                () -> world.moves().withHooks(Death.at(CrashPoint.AFTER_SWITCH)).reverse(waiting.id()));
        String stream = story.parts("a", waiting.id()).get(0).replace("subscription ", "");
        for (String statement : List.of("disable", "set (slot_name = none)")) {
            world.execute(world.server("a"), "alter subscription " + stream + " " + statement);
        }
        world.execute(world.server("a"), "drop subscription " + stream);
        assertEquals(Refusal.NONE, story.write(stale, 1));
        List<String> written = world.contents("b", story.shard());

        assertEquals(MoveState.REVERSED, world.moves().resume(waiting.id()).state());

        story.assertAtRest("a", written, waiting.id());
    }

    @Test
    void aWayBackThatCannotBeKeptDoesNotUndoTheMove() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = story.start("b");
        MoveHooks loses = point -> {
            if (point == CrashPoint.AFTER_OPEN) {
                try {
                    String slot = story.parts("b", id).stream()
                            .filter(part -> part.startsWith("slot "))
                            .findFirst()
                            .orElseThrow()
                            .substring(5);
                    world.execute(world.server("b"), "select pg_drop_replication_slot('" + slot + "')");
                } catch (SQLException failure) {
                    throw new IllegalStateException(failure);
                }
            }
        };

        MoveStatus moved = world.moves().withHooks(loses).run(id);

        assertEquals(MoveState.IRREVERSIBLE, moved.state());
        assertTrue(String.valueOf(moved.error()).startsWith("slot of the stream back must be there"), moved::toString);
        List<String> written = story.write(1);
        assertEquals(MoveState.DONE, world.moves().complete(id).state());
        story.assertAtRest("b", written, id);
    }

    @Test
    void aSlotOfTheWayBackThatCannotBeMadeUndoesTheMoveBeforeItSwitches() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = world.moves()
                .start(MoveWorld.MAP, story.shard(), "b", ReversibleStory.OPTIONS.withLockWait(Duration.ofSeconds(1)));
        try (var writer = servers.get("b").openConnection();
                var statement = writer.createStatement()) {
            MoveHooks blocks = point -> {
                if (point == CrashPoint.AFTER_BACK_PUBLICATION) {
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

            assertTrue(failure.getMessage().startsWith("slot must be made in time: server=b"), failure.getMessage());
            assertEquals(MoveState.ABORTED, world.moves().status(id).state());
            writer.rollback();
        }
        story.assertAtRest("a", story.contents(), id);
    }

    @Test
    void theJournalTellsEveryState() throws SQLException {
        ReversibleStory.Waiting waiting = ReversibleStory.waiting(world);
        world.moves().reverse(waiting.id());

        List<String> states = world.moves().journal(waiting.id()).stream()
                .map(JournalEntry::step)
                .filter(step -> !step.startsWith("lease"))
                .toList();

        assertEquals(
                List.of(
                        "PLANNED",
                        "PREFLIGHTED",
                        "COPYING",
                        "STREAM",
                        "CATCHING_UP",
                        "STREAM_BACK",
                        "VERIFIED",
                        "SWITCHED",
                        "STREAM_BACK_FROM",
                        "REVERSIBLE",
                        "REVERSING",
                        "SWITCHED_BACK",
                        "REVERSED"),
                states);
    }
}
