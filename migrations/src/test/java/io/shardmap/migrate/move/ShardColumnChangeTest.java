package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What logical replication with a row filter does not bring, and must not be lost for that: rows that change virtual shard, and TRUNCATE. */
class ShardColumnChangeTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
        for (String server : List.of("a", "b")) {
            world.execute(
                    world.server(server),
                    "create table parted (vs int not null, id int not null, primary key (vs, id)) partition by hash (id);"
                            + " create table parted_0 partition of parted for values with (modulus 2, remainder 0);"
                            + " create table parted_1 partition of parted for values with (modulus 2, remainder 1)");
        }
        new TableRegistration(world.store, world.pools)
                .add(MoveWorld.MAP, new ShardedTable(null, "parted", "vs"), true);
    }

    @AfterAll
    static void close() {
        world.close();
    }

    /** Account 50 of the virtual shard and 51 of its neighbour have a value that lies out of line, and no ledger. */
    private static int shard() throws SQLException {
        int shard = world.shard();
        world.execute(
                world.server("a"),
                "insert into account (vs, id, name) select s, 50 + s - " + shard
                        + ", (select string_agg(md5(n::text), '') from generate_series(1, 500) n) from generate_series("
                        + shard + ", " + (shard + 1) + ") s");
        return shard;
    }

    private static MoveHooks once(CrashPoint when, String sql, SQLException[] refusal) {
        boolean[] done = {false};
        return point -> {
            if (point == when && !done[0]) {
                done[0] = true;
                try {
                    world.execute(world.server("a"), sql);
                } catch (SQLException e) {
                    refusal[0] = e;
                }
            }
        };
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"AFTER_SLOT", "AFTER_COPY", "AFTER_COMPARE", "AFTER_VERIFIED"})
    void aRowCannotComeIntoAMovingVirtualShardByAnUpdate(CrashPoint when) throws SQLException {
        int shard = shard();
        refused(
                when,
                "update account set vs = " + shard + " where vs = " + (shard + 1) + " and id = 51",
                "SM007",
                shard);
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"AFTER_COPY", "AFTER_VERIFIED"})
    void aRowCannotLeaveAMovingVirtualShardByAnUpdate(CrashPoint when) throws SQLException {
        int shard = shard();
        refused(
                when,
                "update account set vs = " + (shard + 1) + " where vs = " + shard + " and id = 50",
                "SM007",
                shard);
    }

    @ParameterizedTest
    @CsvSource({"account", "parted", "parted_1"})
    void noTableAndNoPartitionCanBeTruncated(String table) throws SQLException {
        int shard = shard();
        world.execute(world.server("a"), "insert into parted select " + shard + ", n from generate_series(1, 20) n");
        refused(CrashPoint.AFTER_COPY, "truncate " + table + " cascade", "SM004", shard);
    }

    private static void refused(CrashPoint when, String sql, String state, int shard) throws SQLException {
        List<String> contents = world.contents("a", shard);
        List<String> neighbour = world.contents("a", shard + 1);
        SQLException[] refusal = {null};

        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        assertEquals(
                MoveState.DONE,
                world.moves().withHooks(once(when, sql, refusal)).run(id).state());

        assertEquals(state, refusal[0] == null ? "done" : refusal[0].getSQLState(), () -> String.valueOf(refusal[0]));
        world.assertAtRest(shard, "b", contents, neighbour);
    }

    /**
     * PostgreSQL sends such an UPDATE as an INSERT, without the values out of line that did not change: they would be null on the
     * target. Whoever goes round the guard is found by the comparison.
     */
    @Test
    void aRowThatComesRoundTheGuardUndoesTheMove() throws SQLException {
        int shard = shard();
        SQLException[] refusal = {null};
        String update = "set session_replication_role = replica; update account set vs = " + shard + " where vs = "
                + (shard + 1) + " and id = 51; reset session_replication_role";
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);

        ShardMapException failure = assertThrows(
                ShardMapException.class,
                () -> world.moves()
                        .withHooks(once(CrashPoint.AFTER_COPY, update, refusal))
                        .run(id));

        assertNull(refusal[0]);
        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains("target must be equal to the source"), failure.getMessage());
        assertEquals(MoveState.ABORTED, world.moves().status(id).state());
    }

    @Test
    void aTableWithoutItsGuardIsRefused() throws SQLException {
        int shard = world.shard();
        world.execute(world.server("a"), "alter table account disable trigger shardmap_guard");
        try {
            assertEquals(
                    List.of(Kind.GUARD_MISSING),
                    world.moves().plan(MoveWorld.MAP, shard, "b", ONLINE).problems().stream()
                            .map(PreflightProblem::kind)
                            .toList());
            assertEquals(
                    List.of(), world.moves().plan(MoveWorld.MAP, shard, "b").problems(), "portable");
        } finally {
            world.execute(world.server("a"), "alter table account enable trigger shardmap_guard");
        }
    }
}
