package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.server.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a move does on every product: it survives the death and the pause of its mover at every boundary between steps. */
@Execution(ExecutionMode.CONCURRENT)
abstract class MoveContract {
    private static final Set<CrashPoint> OF_AN_ABORT =
            EnumSet.range(CrashPoint.BEFORE_REOPEN, CrashPoint.AFTER_ABORTED);

    /** No mover that fences and copies comes to these. */
    private static final Set<CrashPoint> ONLINE = EnumSet.of(
            CrashPoint.AFTER_STREAM_RECORDED,
            CrashPoint.AFTER_PUBLICATION,
            CrashPoint.AFTER_SLOT,
            CrashPoint.AFTER_SUBSCRIPTION,
            CrashPoint.AFTER_CATCH_UP,
            CrashPoint.BEFORE_DRAIN,
            CrashPoint.AFTER_SUBSCRIPTION_DROPPED,
            CrashPoint.AFTER_SLOT_DROPPED,
            CrashPoint.AFTER_PUBLICATION_DROPPED);

    abstract MoveWorld world();

    /** Points at which no mover is paused on this product; each says why. */
    abstract Set<CrashPoint> withoutPause();

    static Stream<CrashPoint> forwardPoints() {
        return EnumSet.complementOf(EnumSet.of(CrashPoint.BEFORE_FENCE_RENEWAL)).stream()
                .filter(point -> !OF_AN_ABORT.contains(point)
                        && !ONLINE.contains(point)
                        && !Death.OF_A_WAY_BACK.contains(point));
    }

    static Stream<CrashPoint> pointsBeforeTheSwitch() {
        return forwardPoints().filter(point -> point.compareTo(CrashPoint.AFTER_SWITCH) < 0);
    }

    private record Story(int shard, List<String> contents, List<String> neighbour) {}

    private Story story() throws SQLException {
        int shard = world().shard();
        return new Story(shard, world().contents("a", shard), world().contents("a", shard + 1));
    }

    private void assertAtRest(Story story, String owner) throws SQLException {
        world().assertAtRest(story.shard, owner, story.contents, story.neighbour);
    }

    private MoveId start(Story story, String target) {
        return world().moves().start(MoveWorld.MAP, story.shard, target, MoveWorld.QUICK);
    }

    @Test
    void aVirtualShardMovesWithAllItsRowsAndBackAgain() throws SQLException {
        Story story = story();
        assertEquals(39, story.contents.size());

        assertEquals(MoveState.DONE, world().moves().run(start(story, "b")).state());
        assertAtRest(story, "b");
        assertEquals(2, world().map().virtualShards().get(story.shard).epoch());

        assertEquals(MoveState.DONE, world().moves().run(start(story, "a")).state());
        assertAtRest(story, "a");
        assertEquals(3, world().map().virtualShards().get(story.shard).epoch());
    }

    @Test
    void anEmptyVirtualShardMoves() throws SQLException {
        Story story = new Story(258, List.of(), List.of());

        assertEquals(MoveState.DONE, world().moves().run(start(story, "b")).state());

        assertAtRest(story, "b");
    }

    @Test
    void theListenerAndTheJournalTellEveryState() throws SQLException {
        Story story = story();
        List<MoveState> states = new ArrayList<>();
        List<String> batches = new ArrayList<>();
        MoveListener listener = new MoveListener() {
            @Override
            public void entered(MoveStatus move) {
                states.add(move.state());
            }

            @Override
            public void copied(MoveStatus move, String table, long rows, long bytes) {
                batches.add(table + " " + rows);
            }
        };
        MoveId id = start(story, "b");

        world().moves().withListener(listener).run(id);

        List<MoveState> expected = List.of(
                MoveState.PREFLIGHTED,
                MoveState.COPYING,
                MoveState.VERIFIED,
                MoveState.SWITCHED,
                MoveState.CLEANING,
                MoveState.DONE);
        assertEquals(expected, states);
        assertEquals(List.of("account 10", "account 13", "ledger 10", "ledger 20", "ledger 26"), batches);
        List<String> journal = world().moves().journal(id).stream()
                .map(JournalEntry::step)
                .filter(step -> !step.startsWith("lease"))
                .toList();
        assertEquals(7, journal.size());
        assertEquals("PLANNED", journal.get(0));
        assertFalse(world().moves().status(id).isOrphaned());
    }

    @ParameterizedTest
    @MethodSource("forwardPoints")
    void aMoveWhoseMoverDiedGoesOnToTheTarget(CrashPoint point) throws SQLException {
        Story story = story();
        MoveId id = start(story, "b");
        assertThrows(
                Death.class, () -> world().moves().withHooks(Death.at(point)).run(id));

        assertEquals(MoveState.DONE, world().moves().resume(id).state());

        assertAtRest(story, "b");
        assertEquals(MoveState.DONE, world().moves().resume(id).state(), "again");
    }

    @ParameterizedTest
    @MethodSource("forwardPoints")
    void aMoveWhoseMoverDiedGoesBackUnlessItHasSwitched(CrashPoint point) throws SQLException {
        Story story = story();
        MoveId id = start(story, "b");
        assertThrows(
                Death.class, () -> world().moves().withHooks(Death.at(point)).run(id));

        if (world().moves().status(id).state().isSwitched()) {
            assertTrue(point.compareTo(CrashPoint.AFTER_SWITCH) >= 0);
            ShardMapException refusal =
                    assertThrows(ShardMapException.class, () -> world().moves().cancel(id));
            assertEquals(ErrorCode.NOT_SUPPORTED, refusal.code());
            world().moves().resume(id);
            assertAtRest(story, "b");
        } else {
            assertTrue(point.compareTo(CrashPoint.AFTER_SWITCH) < 0);
            assertEquals(MoveState.ABORTED, world().moves().cancel(id).state());
            assertAtRest(story, "a");
            assertEquals(MoveState.ABORTED, world().moves().cancel(id).state(), "again");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"BEFORE_REOPEN", "AFTER_REOPEN", "AFTER_CLEAR", "AFTER_ABORTED"})
    void aCancellationThatDiedIsCompletedByResumingOrCancelling(CrashPoint point) throws SQLException {
        for (boolean resume : new boolean[] {true, false}) {
            Story story = story();
            MoveId id = start(story, "b");
            assertThrows(
                    Death.class,
                    () -> world().moves()
                            .withHooks(Death.at(CrashPoint.AFTER_VERIFIED))
                            .run(id));
            assertThrows(
                    Death.class,
                    () -> world().moves().withHooks(Death.at(point)).cancel(id));

            MoveStatus end =
                    resume ? world().moves().resume(id) : world().moves().cancel(id);

            assertEquals(MoveState.ABORTED, end.state());
            assertAtRest(story, "a");
        }
    }

    @ParameterizedTest
    @MethodSource("forwardPoints")
    void aPausedMoverThatWakesUpAfterItsSuccessorFinishedDoesNoHarm(CrashPoint point) throws Exception {
        assumeFalse(withoutPause().contains(point));
        Story story = story();
        MoveId id = start(story, "b");
        Death.Pause pause = new Death.Pause(point);
        CompletableFuture<Throwable> paused = runInBackground(world().moves().withHooks(pause), id);
        pause.awaitArrival();

        assertEquals(MoveState.DONE, world().moves().resume(id).state());
        pause.letGo();
        paused.get(60, TimeUnit.SECONDS);

        assertAtRest(story, "b");
    }

    @ParameterizedTest
    @MethodSource("pointsBeforeTheSwitch")
    void aPausedMoverThatWakesUpAfterItsMoveWasCancelledAndAnotherRanDoesNoHarm(CrashPoint point) throws Exception {
        assumeFalse(withoutPause().contains(point));
        Story story = story();
        MoveId id = start(story, "b");
        Death.Pause pause = new Death.Pause(point);
        CompletableFuture<Throwable> paused = runInBackground(world().moves().withHooks(pause), id);
        pause.awaitArrival();

        assertEquals(MoveState.ABORTED, world().moves().cancel(id).state());
        assertAtRest(story, "a");
        MoveId second = start(story, "b");
        assertThrows(
                Death.class,
                () -> world().moves().withHooks(Death.at(CrashPoint.AFTER_COPY)).run(second));
        pause.letGo();
        Throwable end = paused.get(60, TimeUnit.SECONDS);
        assertTrue(end instanceof ShardMapException, () -> String.valueOf(end));
        world().moves().resume(second);

        assertAtRest(story, "b");
    }

    static CompletableFuture<Throwable> runInBackground(Moves moves, MoveId id) {
        var thread = Executors.newSingleThreadExecutor();
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(
                        () -> {
                            moves.run(id);
                            return (Throwable) null;
                        },
                        thread)
                .exceptionally(failure -> failure instanceof CompletionException ? failure.getCause() : failure);
        thread.shutdown();
        return end;
    }

    @Test
    void aSecondMoveOfTheVirtualShardAndASecondMoverAreRefused() throws Exception {
        Story story = story();
        MoveId id = start(story, "b");

        PreflightException second = assertThrows(PreflightException.class, () -> start(story, "b"));
        assertEquals(PreflightProblem.Kind.ACTIVE_MOVE, second.problems().get(0).kind());
        Death.Pause pause = new Death.Pause(CrashPoint.AFTER_FENCE);
        CompletableFuture<Throwable> first = runInBackground(world().moves().withHooks(pause), id);
        pause.awaitArrival();
        assertThrows(ConcurrentChangeException.class, () -> world().moves().run(id));
        assertTrue(world().moves().status(id).leaseLive());
        pause.letGo();

        assertEquals(null, first.get(60, TimeUnit.SECONDS));
        assertAtRest(story, "b");
    }

    @Test
    void aFenceThatRunsOutLetsWritersWriteAgainAndTheMoverCopiesAgain() throws Exception {
        Story story = story();
        Route route = world().map().routeOf(story.shard);
        MoveId id = world().moves()
                .start(MoveWorld.MAP, story.shard, "b", MoveWorld.QUICK.withFence(Duration.ofSeconds(8)));
        Death.Pause renewal = new Death.Pause(CrashPoint.BEFORE_FENCE_RENEWAL);
        Death.Pause pause = new Death.Pause(CrashPoint.AFTER_COPY);
        List<String> lost = new ArrayList<>();
        MoveListener listener = new MoveListener() {
            @Override
            public void fenceLost(MoveStatus move) {
                lost.add(move.shard());
            }
        };
        CompletableFuture<Throwable> mover = runInBackground(
                world().moves().withListener(listener).withHooks(point -> {
                    renewal.reached(point);
                    pause.reached(point);
                }),
                id);
        pause.awaitArrival();
        Refusal first = write(route, story.shard);
        Refusal last = first;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (last != Refusal.NONE && System.nanoTime() < deadline) {
            last = write(route, story.shard);
        }
        List<String> written = world().contents("a", story.shard);
        renewal.letGo();
        pause.letGo();

        assertEquals(Refusal.FENCED, first);
        assertEquals(Refusal.NONE, last);
        assertEquals(null, mover.get(60, TimeUnit.SECONDS));
        assertEquals(1, lost.size());
        assertEquals(story.contents.size() + 1, written.size());
        assertAtRest(new Story(story.shard, written, story.neighbour), "b");
    }

    /** What a router does for a writer: enter, write, commit. */
    private Refusal write(Route route, int shard) throws SQLException {
        try (Connection connection = world().pools.open(route.server());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            Refusal refusal = world().pools.dialect(route.server()).tryEnter(connection, route);
            if (refusal == Refusal.NONE) {
                statement.execute(
                        "insert into \"account\" (\"vs\", \"id\", \"name\") values (" + shard + ", 99, 'late')");
                connection.commit();
            } else {
                connection.rollback();
            }
            return refusal;
        }
    }

    @Test
    void aMismatchUndoesTheMoveAndLosesNothing() throws SQLException {
        Story story = story();
        MoveId id = start(story, "b");
        MoveHooks tamper = point -> {
            if (point == CrashPoint.AFTER_COPY) {
                tamper(story.shard);
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world().moves().withHooks(tamper).run(id));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains("table=account"), failure.getMessage());
        MoveStatus end = world().moves().status(id);
        assertEquals(MoveState.ABORTED, end.state());
        assertTrue(String.valueOf(end.error()).contains("equal to the source"), () -> String.valueOf(end.error()));
        assertAtRest(story, "a");
    }

    /** Changes a copied row behind the mover's back. */
    abstract void tamper(int shard);
}
