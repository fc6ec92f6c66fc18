package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.util.List;
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
    }

    @AfterEach
    void close() throws SQLException {
        world.close();
        for (String server : BOTH) {
            try (var connection = servers.get(server).openConnection();
                    var statement = connection.createStatement()) {
                statement.execute("drop table account, ledger cascade");
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
                Arguments.of("alter table ledger replica identity full", List.of("a")));
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
