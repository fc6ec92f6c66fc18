package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableShape;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The copy of the online method: several copiers, pieces of tables, the two forms of COPY, the throttle, and its sudden end. */
class OnlineCopyTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private static final OnlineOptions FOUR = OnlineOptions.DEFAULT.withCopiers(4);
    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
    }

    @AfterAll
    static void close() {
        world.close();
    }

    /** A virtual shard with so many more accounts; each one's name has 100 bytes. */
    private static int shard(int accounts) throws SQLException {
        int shard = world.shard();
        world.execute(
                world.server("a"),
                "set session_replication_role = replica; insert into account (vs, id, name, at) select " + shard
                        + ", n, repeat('x', 100), '2026-12-01' from generate_series(1000, " + (999 + accounts)
                        + ") n; reset session_replication_role");
        return shard;
    }

    @Test
    void fourCopiersBringEveryRowOnceAndTellRowsAndBytesOfEachTable() throws SQLException {
        int shard = shard(500);
        List<String> contents = world.contents("a", shard);
        List<String> neighbour = world.contents("a", shard + 1);
        Map<String, Long> rows = new HashMap<>();
        Map<String, Long> bytes = new HashMap<>();
        MoveListener listener = new MoveListener() {
            @Override
            public void copied(MoveStatus move, String table, long copied, long size) {
                rows.put(table, copied);
                bytes.put(table, size);
            }
        };

        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK.withOnline(FOUR));
        world.moves().withListener(listener).run(id);

        world.assertAtRest(shard, "b", contents, neighbour);
        assertEquals(Map.of("account", 513L, "ledger", 26L), rows);
        assertTrue(bytes.get("account") > 50_000, bytes::toString);
    }

    @Test
    void aMoveWhoseCopierLostItsConnectionIsResumed() throws SQLException {
        for (String victim : List.of("a", "b")) {
            int shard = shard(500);
            List<String> contents = world.contents("a", shard);
            List<String> neighbour = world.contents("a", shard + 1);
            AtomicBoolean cut = new AtomicBoolean();
            MoveHooks hooks = point -> {
                if (point == CrashPoint.AFTER_BATCH && cut.compareAndSet(false, true)) {
                    endCopiers(victim);
                }
            };
            MoveId id = world.moves()
                    .start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK.withOnline(FOUR.withThrottle(20_000)));

            ShardMapException failure = assertThrows(
                    ShardMapException.class,
                    () -> world.moves().withHooks(hooks).run(id));

            assertEquals(ErrorCode.SERVER_UNAVAILABLE, failure.code(), failure::getMessage);
            assertEquals(MoveState.COPYING, world.moves().status(id).state());
            assertEquals(MoveState.DONE, world.moves().resume(id).state());
            world.assertAtRest(shard, "b", contents, neighbour);
        }
    }

    /** The copiers' sessions are those that copy, or pause between rows. */
    private static void endCopiers(String server) {
        try {
            world.execute(
                    world.server(server),
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'shardmap-mover%'"
                            + " and query like 'COPY %'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aMoveIsCancelledInTheMiddleOfItsCopy() throws Exception {
        int shard = shard(2_000);
        List<String> contents = world.contents("a", shard);
        List<String> neighbour = world.contents("a", shard + 1);
        MoveId id =
                world.moves().start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK.withOnline(FOUR.withThrottle(10_000)));
        Death.Pause pause = new Death.Pause(CrashPoint.AFTER_BATCH);
        CompletableFuture<Throwable> mover =
                MoveContract.runInBackground(world.moves().withHooks(pause), id);
        pause.awaitArrival();
        pause.letGo();

        assertEquals(MoveState.ABORTED, world.moves().cancel(id).state());

        Throwable end = mover.get(60, TimeUnit.SECONDS);
        assertTrue(end instanceof ShardMapException, () -> String.valueOf(end));
        world.assertAtRest(shard, "a", contents, neighbour);
    }

    @Test
    void theThrottleHoldsForAllCopiersTogether() throws SQLException {
        int shard = shard(2_000);
        long perSecond = 200_000;
        long[] bytes = {0};
        long[] times = {0, 0};
        MoveListener listener = new MoveListener() {
            @Override
            public void copied(MoveStatus move, String table, long rows, long size) {
                if (table.equals("account")) {
                    bytes[0] = size;
                }
            }
        };
        MoveHooks hooks = point -> {
            if (point == CrashPoint.AFTER_SLOT) {
                times[0] = System.nanoTime();
            } else if (point == CrashPoint.AFTER_COPY) {
                times[1] = System.nanoTime();
            }
        };
        MoveOptions options = MoveWorld.QUICK.withBatchRows(500).withOnline(FOUR.withThrottle(perSecond));

        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", options);
        world.moves().withListener(listener).withHooks(hooks).run(id);

        Duration least = Duration.ofNanos((long) (bytes[0] * 0.8e9 / perSecond));
        Duration taken = Duration.ofNanos(times[1] - times[0]);
        assertTrue(bytes[0] > 200_000, () -> "bytes=" + bytes[0]);
        assertTrue(taken.compareTo(least) > 0, () -> "bytes=" + bytes[0] + ", taken=" + taken);
    }

    @Test
    void piecesOfATableHaveEachOfItsRowsOnce() throws SQLException {
        int shard = shard(3_000);
        TableShape table = shape("account");
        try (Connection source = servers.get("a").openConnection();
                Statement statement = source.createStatement()) {
            List<CopyPiece> pieces = new CopyPiece(table, table.table().sql(), "vs = " + shard).split(source, 8, 4);
            assertEquals(8, pieces.size());
            statement.execute("insert into account (vs, id, name) select " + shard
                    + ", n, repeat('y', 1000) from generate_series(10000, 10100) n");
            long rows = 0;
            for (CopyPiece piece : pieces) {
                rows += number(statement, "select count(*) from account where " + piece.condition());
            }
            assertEquals(number(statement, "select count(*) from account where vs = " + shard), rows);
            assertEquals(1, CopyPiece.of(source, table, shard, 8).size(), "a small table is not worth it");
        }
    }

    /** The binary form of regclass and of a composite type has numbers that the other server gave to something else. */
    @Test
    void onlyTypesOfTheServerItselfAreCopiedInBinaryForm() throws SQLException {
        for (String server : List.of("a", "b")) {
            world.execute(world.server(server), """
                    create type colour as enum ('red', 'green');
                    create domain positive as int check (value > 0);
                    create table named (vs int, t regclass);
                    create table coloured (vs int, c colour[]);
                    create table checked (vs int, p positive)
                    """);
        }
        try (Connection source = servers.get("a").openConnection();
                Connection target = servers.get("b").openConnection()) {
            for (String table : List.of("named", "coloured", "checked")) {
                assertEquals(CopyStream.Format.TEXT, CopyStream.Format.between(source, target, shape(table)), table);
            }
            assertEquals(CopyStream.Format.BINARY, CopyStream.Format.between(source, target, shape("account")));
        }
    }

    private static TableShape shape(String table) throws SQLException {
        try (Connection source = servers.get("a").openConnection()) {
            return TableInspector.of(source)
                    .inspect(source, new ShardedTable(null, table, "vs"))
                    .orElseThrow();
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
