package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that change while a virtual shard moves online undo the move, whenever that happens; afterwards the move can be started again. */
class ChangedTablesTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);
    private static final List<String> BOTH = List.of("a", "b");

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "a", "b");

    private MoveWorld world;

    @BeforeEach
    void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
        for (String server : BOTH) {
            execute(
                    server,
                    "create table parted (vs int not null, id int, primary key (vs, id)) partition by hash (id);"
                            + " create table parted_0 partition of parted for values with (modulus 2, remainder 0);"
                            + " create table parted_1 partition of parted for values with (modulus 2, remainder 1)");
        }
        new TableRegistration(world.store, world.pools)
                .add(MoveWorld.MAP, new ShardedTable(null, "parted", "vs"), true);
    }

    @AfterEach
    void close() throws SQLException {
        world.close();
        for (String server : BOTH) {
            try (var connection = servers.get(server).openConnection();
                    var statement = connection.createStatement()) {
                statement.execute("drop table account, ledger, parted cascade");
                statement.execute("drop schema shardmap cascade");
            }
        }
        try (var connection = servers.get("map").openConnection();
                var statement = connection.createStatement()) {
            statement.execute("drop schema shardmap_catalog cascade");
        }
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of("alter table account add column shade text default 'grey'", BOTH),
                Arguments.of("alter table account add column shade text", List.of("a")),
                Arguments.of("alter table account add column shade text", List.of("b")),
                Arguments.of("alter table account drop column span", BOTH),
                Arguments.of("alter table account alter column weight type numeric", BOTH),
                Arguments.of("alter table account alter column name set default 'nobody'", List.of("a")),
                Arguments.of("alter table ledger replica identity full", List.of("a")),
                Arguments.of("alter table account drop column span, add column span interval", BOTH),
                Arguments.of("alter table ledger drop constraint ledger_pkey, add primary key (id, vs)", BOTH),
                Arguments.of("alter table account alter column weight type double precision using weight * 2", BOTH),
                Arguments.of(
                        "set session_replication_role = replica; truncate parted_1; reset session_replication_role",
                        List.of("a")),
                Arguments.of("alter table parted detach partition parted_1", List.of("a")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aTableThatChangesAfterTheComparisonUndoesTheMove(String change, List<String> where) throws SQLException {
        undone(CrashPoint.AFTER_VERIFIED, change, where, "tables must stay as they are");
    }

    /** The copy has the old columns by then, and the stream the new ones. */
    @Test
    void aTableThatChangesWhileTheStreamCatchesUpUndoesTheMove() throws SQLException {
        undone(
                CrashPoint.AFTER_COPY,
                "alter table account add column shade text default 'grey'",
                BOTH,
                "tables must stay as they are");
    }

    private void undone(CrashPoint when, String change, List<String> where, String rule) throws SQLException {
        int shard = world.shard();
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        boolean[] done = {false};
        MoveHooks hooks = point -> {
            if (point == when && !done[0]) {
                done[0] = true;
                for (String server : where) {
                    execute(server, change);
                }
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(hooks).run(id));

        assertEquals(ErrorCode.VERIFICATION, failure.code());
        assertTrue(failure.getMessage().contains(rule), failure.getMessage());
        assertEquals(MoveState.ABORTED, world.moves().status(id).state());
        for (String server : BOTH) {
            if (!where.contains(server)) {
                execute(server, change);
            }
        }
        MoveId again = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        assertEquals(MoveState.DONE, world.moves().run(again).state());
    }

    /** A copier that had looked before would bring the old columns, and nobody would miss the new one. */
    @Test
    void aColumnThatAppearsWhenTheMoverLooksIsNotOverlooked() throws SQLException {
        int shard = world.shard();
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        boolean[] done = {false};
        Consumer<String> statement = sql -> {
            if (sql.contains("with ordinality asked") && !done[0]) {
                done[0] = true;
                BOTH.forEach(server -> execute(server, "alter table account add column shade text default 'grey'"));
                execute("a", "update account set shade = 'blue'");
            }
        };

        try (ServerPools listening = world.listening(statement)) {
            assertEquals(
                    MoveState.DONE, Moves.of(world.store, listening).run(id).state());
        }

        assertTrue(done[0]);
        List<String> contents = world.contents("b", shard);
        assertEquals(13, contents.stream().filter(row -> row.endsWith(",blue)")).count(), contents::toString);
    }

    /** Whoever holds the lock may wait for a writer that waits for the move. */
    @Test
    void aTableThatSomebodyHasLockedForAWhileOnlyDelaysTheSwitch() throws SQLException {
        int shard = world.shard();
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        int[] attempts = {0};
        try (Connection other = servers.get("a").openConnection()) {
            other.setAutoCommit(false);
            MoveHooks hooks = point -> {
                if (point == CrashPoint.BEFORE_DRAIN) {
                    lockOrLetGo(other, attempts[0]++ == 0);
                }
            };

            assertEquals(MoveState.DONE, world.moves().withHooks(hooks).run(id).state());
        }
        assertTrue(attempts[0] > 1, () -> "attempts=" + attempts[0]);
    }

    private static void lockOrLetGo(Connection connection, boolean lock) {
        try (Statement statement = connection.createStatement()) {
            if (lock) {
                statement.execute("lock table ledger in access exclusive mode");
            } else {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTableThatJoinsTheMapUndoesTheMove() throws SQLException {
        for (String server : BOTH) {
            execute(server, "create table note (vs int not null, id int, primary key (vs, id))");
        }
        int shard = world.shard();
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        MoveHooks hooks = point -> {
            if (point == CrashPoint.AFTER_VERIFIED) {
                world.store.addTable(MoveWorld.MAP, new ShardedTable(null, "note", "vs"));
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(hooks).run(id));

        assertTrue(
                failure.getMessage().contains("tables of the map must not change during a move"), failure.getMessage());
        assertEquals(MoveState.ABORTED, world.moves().status(id).state());
        for (String server : BOTH) {
            execute(server, "drop table note");
        }
    }

    private void execute(String server, String sql) {
        try {
            world.execute(world.server(server), sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
