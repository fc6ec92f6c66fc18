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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writers that know nothing of moves lose nothing, see no error, and wait for moments, while their virtual shard moves to and fro. */
class MoveLoadTest {
    private static final Logger LOG = LoggerFactory.getLogger(MoveLoadTest.class);
    private static final int THREADS = 64;
    private static final int MOVES = 20;
    private static final long KEY = 1;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "a", "b");

    private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
    private final Map<String, AtomicLong> errors = new ConcurrentHashMap<>();
    private final AtomicLong lastAcknowledged = new AtomicLong();
    private final AtomicLong longestGap = new AtomicLong();
    private final AtomicLong longestTransaction = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void sixtyFourWritersOfOneKeyLoseNothingWhileItsVirtualShardMovesTwentyTimes() throws Exception {
        PostgresServer a = servers.get("a");
        Credentials login = new Credentials(a.user(), a.password());
        ShardMapSchema.migrate(servers.get("map").dataSource());
        JdbcShardMapStore store = new JdbcShardMapStore(servers.get("map").dataSource(), "test");
        try (ServerPools pools = new ServerPools(null, server -> login, config -> {})) {
            prepare(store, pools);
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try (ShardRouter router = ShardRouter.builder(store)
                    .credentials(server -> login)
                    // So many writers share ten connections, on a machine that may be busy with other tests.
                    .pool(config -> config.setConnectionTimeout(60_000))
                    .build()) {
                List<Future<?>> writers = new ArrayList<>();
                for (int writer = 0; writer < THREADS; writer++) {
                    int number = writer;
                    writers.add(threads.submit(() -> write(router, number)));
                }
                moveToAndFro(Moves.of(store, pools));
                over.set(true);
                for (Future<?> writer : writers) {
                    writer.get();
                }
            } finally {
                over.set(true);
                threads.shutdownNow();
            }
        }
        LOG.info(
                "load over {} moves: transactions={}, longest pause of all writers={} ms, longest transaction={} ms, errors={}",
                MOVES,
                acknowledged.size(),
                longestGap.get() / 1_000_000,
                longestTransaction.get() / 1_000_000,
                errors);
        check();
    }

    private static void prepare(JdbcShardMapStore store, ServerPools pools) throws SQLException {
        for (String name : List.of("a", "b")) {
            Server server = new Server(name, servers.get(name).jdbcUrl());
            new ServerRegistration(store, pools).add(server);
            try (Connection connection = pools.open(server);
                    Statement statement = connection.createStatement()) {
                statement.execute("""
                        create table event (vs int not null, writer int not null, seq int not null, primary key (vs, writer, seq));
                        create table counter (vs int not null primary key, n bigint not null)
                        """);
            }
        }
        store.createMap(new ShardMapDefinition("load", KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(2))));
        TableRegistration tables = new TableRegistration(store, pools);
        tables.add("load", new ShardedTable(null, "event", "vs"), true);
        tables.add("load", new ShardedTable(null, "counter", "vs"), true);
        new ShardAssignment(store, pools).assign("load", List.of(0, 1), "a");
        try (Connection connection = servers.get("a").openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into counter values (1, 0)");
        }
    }

    private void moveToAndFro(Moves moves) {
        MoveOptions options = new MoveOptions(
                Duration.ofSeconds(10), Duration.ofSeconds(1), 5_000, Duration.ofSeconds(10), Duration.ofSeconds(60));
        for (int move = 0; move < MOVES; move++) {
            MoveId id = moves.start("load", (int) KEY, move % 2 == 0 ? "b" : "a", options);
            assertEquals(MoveState.DONE, moves.run(id).state());
        }
    }

    private void write(ShardRouter router, int writer) {
        for (int seq = 0; !over.get(); seq++) {
            long begin = System.nanoTime();
            try (Connection connection = router.openConnection("load", KEY)) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate(
                            "insert into event (vs, writer, seq) values (1, " + writer + ", " + seq + ")");
                    statement.executeUpdate("update counter set n = n + 1 where vs = 1");
                    connection.commit();
                }
                acknowledged.add(writer + "/" + seq);
                long now = System.nanoTime();
                long before = lastAcknowledged.getAndSet(now);
                longestGap.accumulateAndGet(before == 0 ? 0 : now - before, Math::max);
                longestTransaction.accumulateAndGet(now - begin, Math::max);
            } catch (SQLException failure) {
                errors.computeIfAbsent(failure.getSQLState() + " " + failure.getMessage(), key -> new AtomicLong())
                        .incrementAndGet();
            }
        }
    }

    private void check() throws SQLException {
        Set<String> stored = new TreeSet<>();
        long counter = -1;
        String owner = "a";
        try (Connection connection = servers.get(owner).openConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select writer || '/' || seq from event where vs = 1")) {
                while (row.next()) {
                    stored.add(row.getString(1));
                }
            }
            try (ResultSet row = statement.executeQuery("select n from counter where vs = 1")) {
                row.next();
                counter = row.getLong(1);
            }
        }
        for (String error : errors.keySet()) {
            assertTrue(error.startsWith("40001") || error.startsWith("40P01"), () -> "error: " + errors);
        }
        assertEquals(acknowledged, stored, "every acknowledged write once, and no other");
        assertEquals(acknowledged.size(), counter);
        assertTrue(acknowledged.size() > THREADS, "the load ran");
    }
}
