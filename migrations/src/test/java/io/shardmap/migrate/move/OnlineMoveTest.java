package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("max_replication_slots", "60")
            .setting("max_wal_senders", "60")
            .setting("max_logical_replication_workers", "60")
            .setting("max_worker_processes", "80")
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
                .stream();
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
                change(story.shard);
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(tamper).run(id));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains("table=account"), failure.getMessage());
        assertEquals(MoveState.ABORTED, world.moves().status(id).state());
        story.assertAtRest("a", id);
    }

    private static void change(int shard) {
        try {
            world.execute(
                    world.server("b"),
                    "set session_replication_role = replica; update account set balance = balance + 1 where id = 3 and vs = "
                            + shard + "; reset session_replication_role");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
