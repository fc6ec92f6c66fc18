package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the comparisons of an online move find on a target where somebody tampers; one at a time, for all share its triggers. */
class OnlineComparisonTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
    }

    @AfterAll
    static void close() {
        world.close();
    }

    /** A trigger of the target makes something else of what comes through the stream. */
    @Test
    void rowThatChangedAfterTheFirstComparisonIsComparedUnderTheLock() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", ONLINE);
        MoveHooks tamper = point -> {
            if (point == CrashPoint.AFTER_VERIFIED) {
                onTheTarget("create function spoil() returns trigger language plpgsql as"
                        + " 'begin new.balance := new.balance + 1; return new; end';"
                        + " create trigger spoil before update on account for each row when (new.vs = " + story.shard()
                        + ") execute function spoil();"
                        + " alter table account enable replica trigger spoil");
                onTheSource("update account set name = 'changed' where id = 3 and vs = " + story.shard());
            }
        };

        ShardMapException failure;
        try {
            failure = assertThrows(
                    ShardMapException.class,
                    () -> world.moves().withHooks(tamper).run(id));
        } finally {
            onTheTarget("drop function spoil() cascade");
        }

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains("row=[vs, id]=[" + story.shard() + ", 3]"), failure.getMessage());
    }

    /** Without the changes, all is compared under the lock. */
    @Test
    void whatDiffersOnlyAfterTheFirstComparisonIsFoundByHashUnderTheLock() throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", ONLINE);
        MoveHooks tamper = point -> {
            if (point == CrashPoint.AFTER_VERIFIED) {
                forgetChanges(story.shard());
                change(story.shard());
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(tamper).run(id));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertFalse(failure.getMessage().contains("hash=]"), failure.getMessage());
        story.assertAtRest("a", story.contents(), id);
    }

    /** Hashing so many rows takes longer than the pause allows: rows are counted under the lock. */
    @Test
    void whatIsMissingAfterTheFirstComparisonIsFoundByCountWhenHashesAreTooSlow() throws SQLException {
        ReversibleStory few = ReversibleStory.begin(world);
        world.execute(
                world.server("a"),
                "set session_replication_role = replica; insert into account (vs, id, name) select " + few.shard()
                        + ", n, repeat('x', 100) from generate_series(1000, 100000) n; reset session_replication_role");
        ReversibleStory story = ReversibleStory.of(world, few.shard());
        MoveId id = world.moves()
                .start(
                        MoveWorld.MAP,
                        story.shard(),
                        "b",
                        ONLINE.withBatchRows(50_000)
                                .withOnline(OnlineOptions.DEFAULT.withPause(Duration.ofMillis(100))));
        MoveHooks tamper = point -> {
            if (point == CrashPoint.AFTER_VERIFIED) {
                forgetChanges(story.shard());
                onTheTarget("delete from account where id = 1000 and vs = " + story.shard());
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(tamper).run(id));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains("hash=]"), failure.getMessage());
        story.assertAtRest("a", story.contents(), id);
    }

    private static void change(int shard) {
        onTheTarget("update account set balance = balance + 1 where id = 3 and vs = " + shard);
    }

    /** Ends the session that follows the changes. */
    private static void forgetChanges(int shard) {
        onTheSource("select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name like '%/"
                + shard + " % rows'");
    }

    private static void onTheTarget(String sql) {
        on("b", sql);
    }

    private static void onTheSource(String sql) {
        on("a", sql);
    }

    private static void on(String server, String sql) {
        try {
            world.execute(
                    world.server(server),
                    "set session_replication_role = replica; " + sql + "; reset session_replication_role");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
