package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The two faults of {@code cutover_model.py} that are no deaths: a living mover loses the session that holds its fence; the target comes
 * back without rows that were applied, but not flushed.
 */
class OnlineFaultsTest {
    /** The write-ahead log writer sleeps for so long that what nobody flushes stays in memory, and dies with the server. */
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("wal_writer_delay", "10000ms")
            .build();

    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);
    private static final int ATTEMPTS = 5;

    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @ParameterizedTest
    @CsvSource({
        "ONLINE, BEFORE_DRAIN, NONE",
        "ONLINE, BEFORE_SWITCH, NONE",
        "ONLINE, AFTER_SWITCH, NONE",
        "ONLINE, BEFORE_CLOSE_COMMIT, NONE",
        // The portable method's fence is stored: it outlives the session that set it.
        "PORTABLE, BEFORE_SWITCH, FENCED",
        "PORTABLE, AFTER_SWITCH, FENCED",
        "PORTABLE, BEFORE_CLOSE_COMMIT, FENCED"
    })
    void aLivingMoverThatLosesTheSessionOfItsFenceLosesNoWrite(CrashFlow flow, CrashPoint point, Refusal expected)
            throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        Route old = world.map().routeOf(story.shard());
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", flow.options());
        List<Refusal> answers = new ArrayList<>();
        MoveHooks loses = at -> {
            if (at == point && answers.isEmpty()) {
                unchecked(() -> {
                    endHolderOfTheLock(story.shard());
                    answers.add(story.write(old, 1));
                });
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(loses).run(id));

        assertEquals(List.of(expected), answers);
        List<String> written = world.contents("a", story.shard());
        assertEquals(expected == Refusal.NONE, !written.equals(story.contents()));
        assertEquals(ErrorCode.SERVER_UNAVAILABLE, failure.code(), failure::getMessage);
        boolean switched = world.moves().status(id).state().isSwitched();
        assertEquals(point.compareTo(CrashPoint.AFTER_SWITCH) >= 0, switched);
        assertEquals(
                switched ? "b" : "a",
                world.map().routeOf(story.shard()).server().name());

        assertEquals(MoveState.DONE, world.moves().resume(id).state());

        story.assertAtRest("b", written, id);
        assertEquals(Refusal.STALE, story.write(old, 2));
    }

    /** Nothing of the fence is left when the session that held it is gone, and whoever waited is let in. */
    private static void endHolderOfTheLock(int shard) throws SQLException {
        Place place = world.place(shard);
        try (Connection connection = servers.get("a").openConnection();
                PreparedStatement end = connection.prepareStatement("""
                        select count(pg_terminate_backend(pid, 60000)) from pg_locks
                         where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
                           and classid = 1397555200 + ? and objid = ?
                        """)) {
            end.setInt(1, place.map());
            end.setInt(2, place.virtualShard());
            try (ResultSet row = end.executeQuery()) {
                row.next();
                assertEquals(1, row.getInt(1), "the mover holds the lock");
            }
        }
    }

    /** Shows what the next test relies on: a target that is killed here has lost what the stream had applied. */
    @Test
    void aTargetThatLosesWhatItHadAppliedDoesNotGetTheVirtualShardBeforeItHasItAgain() throws SQLException {
        boolean lost = false;
        for (int attempt = 0; attempt < ATTEMPTS && !lost; attempt++) {
            lost = loseTarget(CrashPoint.BEFORE_DRAIN);
        }
        assertTrue(lost, "the target must lose rows for this test to show anything");
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"BEFORE_SWITCH", "AFTER_SWITCH", "AFTER_CLOSE"})
    void theMapDoesNotSwitchToRowsThatTheTargetMayLose(CrashPoint point) throws SQLException {
        // Advancing the sequences commits on the target, which flushes all that was applied before.
        assertFalse(loseTarget(point), "what was compared is flushed before the switch");
    }

    /** Kills the target when it has applied a change. Returns whether it came back without it. Nothing is lost in either case. */
    private static boolean loseTarget(CrashPoint point) throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", ONLINE);
        List<List<String>> written = new ArrayList<>();
        List<List<String>> kept = new ArrayList<>();
        MoveHooks kills = at -> unchecked(() -> {
            if (at == CrashPoint.AFTER_VERIFIED) {
                written.add(story.write(1));
            }
            if (at == CrashPoint.BEFORE_DRAIN && point == at && kept.isEmpty()) {
                written.set(0, changeUnderTheLock(story.shard()));
            }
            if (at == point && kept.isEmpty()) {
                story.assertSame();
                servers.get("b").kill();
                servers.get("b").start();
                CrashVictim.recover(servers, world);
                kept.add(world.contents("b", story.shard()));
            }
        });

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(kills).run(id));

        assertEquals(ErrorCode.SERVER_UNAVAILABLE, failure.code(), failure::getMessage);
        assertNotEquals(story.contents(), written.get(0));
        assertTrue(
                world.ownership("b", story.shard()).isClosed(), "not opened by a session that knew of the rows before");
        assertEquals(
                point.compareTo(CrashPoint.BEFORE_SWITCH) >= 0,
                world.moves().status(id).state().isSwitched());
        assertEquals(MoveState.DONE, world.moves().resume(id).state());
        story.assertAtRest("b", written.get(0), id);
        return !kept.get(0).equals(written.get(0));
    }

    /** Nothing of the mover commits on the target after this, which would flush it. */
    private static List<String> changeUnderTheLock(int shard) throws SQLException {
        world.execute(
                world.server("a"),
                "set session_replication_role = replica; update account set balance = balance + 1 where id <= 3 and vs = "
                        + shard + "; reset session_replication_role");
        return world.contents("a", shard);
    }

    @FunctionalInterface
    private interface Action {
        void run() throws SQLException;
    }

    private static void unchecked(Action action) {
        try {
            action.run();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
