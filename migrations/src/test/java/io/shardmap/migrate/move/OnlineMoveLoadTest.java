package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same load runs twice, first while nothing moves, then while the virtual shard of all its writers moves online to and fro: nothing
 * is lost, nothing is there twice, no answer is wrong, and no caller sees an error of a kind that it does not see otherwise.
 */
class OnlineMoveLoadTest {
    private static final Logger LOG = LoggerFactory.getLogger(OnlineMoveLoadTest.class);
    private static final int MOVES = 6;
    private static final int MOVES_OF_A_LONG_RUN = 200;
    /** What PostgreSQL itself says in a conflict of two transactions. */
    private static final String CONFLICT = "(40001 ERROR: could not serialize access|40P01 ERROR: deadlock detected).*";

    /** Rows of the virtual shards that nobody writes to, wherever they are. */
    private static final String NEIGHBOURS = """
            select coalesce((select sum(hashtext(e::text)) from event e where vs <> 1), 0)
                 + coalesce((select sum(hashtext(a::text)) from account a where vs <> 1), 0)
                 + coalesce((select sum(hashtext(c::text)) from counter c where vs <> 1), 0)
            """;

    private static final String STREAMS = """
            select (select count(*) from pg_replication_slots) + (select count(*) from pg_publication)
                 + (select count(*) from pg_subscription) + (select count(*) from pg_replication_origin)
            """;

    private final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("deadlock_timeout", "50ms")
            .start();
    private final List<String> pauses = new ArrayList<>();
    private final List<Long> neighbours = new ArrayList<>();
    /** Sums that are wrong when the servers are asked without the library: the oracle would notice. */
    private int wrongWithoutTheLibrary;

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    void eightWritersOfOneKeyLoseNothingWhileItsVirtualShardMovesOnline() throws Exception {
        moveUnderLoad(MOVES, Duration.ofSeconds(4));
    }

    @Test
    @Tag("deep")
    void eightWritersOfOneKeyLoseNothingInTwoHundredMoves() throws Exception {
        moveUnderLoad(MOVES_OF_A_LONG_RUN, Duration.ofMinutes(1));
    }

    private void moveUnderLoad(int moves, Duration before) throws Exception {
        PostgresServer a = servers.get("a");
        Credentials login = new Credentials(a.user(), a.password());
        ShardMapSchema.migrate(servers.get("map").dataSource());
        JdbcShardMapStore store = new JdbcShardMapStore(servers.get("map").dataSource(), "test");
        try (ServerPools pools = new ServerPools(null, server -> login, config -> {})) {
            prepare(store, pools);
            try (ShardRouter router = ShardRouter.builder(store)
                            .credentials(server -> login)
                            .pool(config -> config.setMaximumPoolSize(BankLoad.WRITERS + 4))
                            .build();
                    BankLoad load = new BankLoad(router)) {
                BankLoad.Report without = load.during(BankLoad.nothing(before));
                BankLoad.Report with = load.during(() -> moveToAndFro(Moves.of(store, pools), moves));
                LOG.info("load without moves: {}", without);
                LOG.info(
                        "load over {} online moves: {}, locks held={}, sums wrong without the library={}",
                        moves,
                        with,
                        pauses,
                        wrongWithoutTheLibrary);
                check(load, without, with, moves);
            }
        }
    }

    private void prepare(JdbcShardMapStore store, ServerPools pools) throws SQLException {
        for (String name : List.of("a", "b")) {
            Server server = new Server(name, servers.get(name).jdbcUrl());
            new ServerRegistration(store, pools).add(server);
            execute(name, BankLoad.TABLES);
        }
        store.createMap(new ShardMapDefinition(
                BankLoad.MAP, KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(BankLoad.SHARDS))));
        TableRegistration tables = new TableRegistration(store, pools);
        for (String table : List.of("event", "account", "counter")) {
            tables.add(BankLoad.MAP, new ShardedTable(null, table, "vs"), true);
        }
        new ShardAssignment(store, pools).assign(BankLoad.MAP, List.of(0, 1), "a");
        new ShardAssignment(store, pools).assign(BankLoad.MAP, List.of(2), "b");
        unguarded("a", BankLoad.rows(0) + "; " + BankLoad.rows(1));
        unguarded("b", BankLoad.rows(2));
        for (String name : List.of("a", "b")) {
            neighbours.add(number(name, NEIGHBOURS));
        }
    }

    private void moveToAndFro(Moves moves, int count) throws SQLException {
        MoveOptions options = MoveOptions.DEFAULT
                .withGrace(Duration.ofSeconds(1))
                .withOnline(OnlineOptions.DEFAULT.withCatchUp(Duration.ofMinutes(2)));
        MoveListener listener = new MoveListener() {
            @Override
            public void paused(MoveStatus move, Duration pause, boolean switched) {
                pauses.add(pause.toMillis() + (switched ? " ms switched" : " ms"));
            }
        };
        MoveHooks askServers = point -> {
            if (point == CrashPoint.AFTER_CATCH_UP || point == CrashPoint.BEFORE_CLEAN) {
                wrongWithoutTheLibrary += isSumOfServersRight() ? 0 : 1;
            }
        };
        for (int move = 0; move < count; move++) {
            long start = System.nanoTime();
            MoveId id = moves.start(BankLoad.MAP, 1, move % 2 == 0 ? "b" : "a", options);
            MoveStatus end = moves.withListener(listener).withHooks(askServers).run(id);
            assertEquals(MoveState.DONE, end.state());
            LOG.info(
                    "online move {} took {} ms: {}",
                    move,
                    (System.nanoTime() - start) / 1_000_000,
                    steps(moves.journal(id), end));
        }
    }

    private static List<String> steps(List<JournalEntry> journal, MoveStatus move) {
        return journal.stream()
                .map(entry -> entry.step() + " "
                        + Duration.between(move.createdAt(), entry.at()).toMillis())
                .toList();
    }

    private boolean isSumOfServersRight() {
        try {
            String sum = "select coalesce(sum(balance), 0) from account";
            return number("a", sum) + number("b", sum) == (long) BankLoad.SHARDS * BankLoad.ACCOUNTS * BankLoad.BALANCE;
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void check(BankLoad load, BankLoad.Report without, BankLoad.Report with, int moves) throws SQLException {
        for (BankLoad.Report report : List.of(without, with)) {
            assertEquals(Set.of(), report.wrong);
            for (String error : report.errors.keySet()) {
                assertTrue(error.matches(CONFLICT), () -> "error: " + report);
            }
            assertTrue(report.written.get() > BankLoad.WRITERS, () -> "the load ran: " + report);
        }
        assertTrue(with.sums.get() > moves && with.fanOuts.get() > moves, () -> "somebody looked: " + with);
        assertEquals(2 * moves, wrongWithoutTheLibrary, "a sum that counts copies differs");
        Set<String> stored = new TreeSet<>();
        String owner = moves % 2 == 0 ? "a" : "b";
        try (Connection connection = servers.get(owner).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select writer || '/' || seq from event where vs = 1 and writer < 100")) {
            while (row.next()) {
                assertTrue(stored.add(row.getString(1)), "once");
            }
        }
        assertEquals(load.acknowledged(), stored, "every acknowledged write once, and no other");
        assertEquals(load.transactions.get(), number(owner, "select sum(n) from counter where vs = 1"));
        assertEquals(
                5_000, number(owner, "select count(*) from event where vs = 1 and writer = 100 and note = 'before'"));
        assertEquals(BankLoad.ACCOUNTS, number(owner, """
                        select count(*) from account where vs = 1 and big = repeat(md5(id::text), 300)
                           and tags = array['a', null, 'b'] and doc = '{"k": [1, null]}'
                        """));
        String other = owner.equals("a") ? "b" : "a";
        for (String table : List.of("event", "account", "counter")) {
            assertEquals(0, number(other, "select count(*) from " + table + " where vs = 1"));
        }
        for (String name : List.of("a", "b")) {
            assertEquals(neighbours.get(name.equals("a") ? 0 : 1), number(name, NEIGHBOURS), "neighbours");
            assertEquals(0, number(name, STREAMS));
        }
    }

    private void unguarded(String server, String sql) throws SQLException {
        execute(server, "set session_replication_role = replica; " + sql);
    }

    private void execute(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
