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
import java.sql.PreparedStatement;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writers in every isolation level, in transactions and in autocommit, lose nothing while their virtual shard moves online to and fro. */
class OnlineMoveLoadTest {
    private static final Logger LOG = LoggerFactory.getLogger(OnlineMoveLoadTest.class);
    private static final int THREADS = 8;
    private static final int MOVES = 8;
    private static final int MOVES_OF_A_LONG_RUN = 200;
    private static final long KEY = 1;
    private static final String INSERT = "insert into event (vs, writer, seq) values (1, ?, ?)";
    /** Rows that each writer leaves behind it. */
    private static final int KEPT = 1_000;
    /** Writers from this number on prepare their statements. */
    private static final int PREPARING = 4;
    /** A checksum of the rows that nobody may touch. */
    private static final String NEIGHBOUR = """
            select sum(hashtext(e::text))::bigint + (select sum(hashtext(c::text)) from counter c where vs = 0)::bigint
              from event e where vs = 0
            """;

    private final PostgresServers servers = PostgresServers.start("map", "a", "b");
    /** Rows that were acknowledged, and not deleted since. */
    private final Set<String> acknowledged = new ConcurrentSkipListSet<>();

    private final AtomicLong counted = new AtomicLong();
    private final Map<String, AtomicLong> errors = new ConcurrentHashMap<>();
    private final AtomicLong lastAcknowledged = new AtomicLong();
    private final AtomicLong longestGap = new AtomicLong();
    private final AtomicLong longestTransaction = new AtomicLong();
    private final AtomicLong fanOuts = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<String> pauses = new ArrayList<>();
    private long neighbour;

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    void eightWritersOfOneKeyLoseNothingWhileItsVirtualShardMovesOnline() throws Exception {
        moveUnderLoad(MOVES);
    }

    @Test
    @Tag("deep")
    void eightWritersOfOneKeyLoseNothingInTwoHundredMoves() throws Exception {
        moveUnderLoad(MOVES_OF_A_LONG_RUN);
    }

    private void moveUnderLoad(int moves) throws Exception {
        PostgresServer a = servers.get("a");
        Credentials login = new Credentials(a.user(), a.password());
        ShardMapSchema.migrate(servers.get("map").dataSource());
        JdbcShardMapStore store = new JdbcShardMapStore(servers.get("map").dataSource(), "test");
        try (ServerPools pools = new ServerPools(null, server -> login, config -> {})) {
            prepare(store, pools);
            neighbour = number("a", NEIGHBOUR);
            ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
            try (ShardRouter router =
                    ShardRouter.builder(store).credentials(server -> login).build()) {
                List<Future<?>> writers = new ArrayList<>();
                for (int writer = 0; writer < THREADS; writer++) {
                    int number = writer;
                    writers.add(threads.submit(() -> write(router, number)));
                }
                writers.add(threads.submit(() -> countEverywhere(router)));
                moveToAndFro(Moves.of(store, pools), moves);
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
                "load over {} online moves: explicit transactions={}, fan-outs={}, longest pause of all writers={} ms, longest transaction={} ms,"
                        + " locks held={}, errors={}",
                moves,
                counted.get(),
                fanOuts,
                longestGap.get() / 1_000_000,
                longestTransaction.get() / 1_000_000,
                pauses,
                errors);
        check();
    }

    private void prepare(JdbcShardMapStore store, ServerPools pools) throws SQLException {
        for (String name : List.of("a", "b")) {
            Server server = new Server(name, servers.get(name).jdbcUrl());
            new ServerRegistration(store, pools).add(server);
            try (Connection connection = pools.open(server);
                    Statement statement = connection.createStatement()) {
                statement.execute("""
                        create table event (vs int not null, writer int not null, seq int not null, note text,
                            primary key (vs, writer, seq));
                        create table counter (vs int not null, writer int not null, n bigint not null, big text, tags text[], doc jsonb,
                            primary key (vs, writer));
                        alter table counter alter column big set storage external;
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
            statement.execute("""
                    insert into counter select vs, w, 0, repeat(md5(w::text), 1000), array['a', null, 'b'], '{"k": [1, null]}'
                      from generate_series(0, 1) vs, generate_series(0, %d) w;
                    insert into event select vs, 100, n, 'before' from generate_series(0, 1) vs, generate_series(1, 30000) n
                    """.formatted(THREADS - 1));
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
        for (int move = 0; move < count; move++) {
            long start = System.nanoTime();
            MoveId id = moves.start("load", (int) KEY, move % 2 == 0 ? "b" : "a", options);
            assertEquals(MoveState.DONE, moves.withListener(listener).run(id).state());
            List<String> steps = moves.journal(id).stream()
                    .map(entry -> entry.step() + " "
                            + Duration.between(moves.status(id).createdAt(), entry.at())
                                    .toMillis())
                    .toList();
            LOG.info("online move {} took {} ms: {}", move, (System.nanoTime() - start) / 1_000_000, steps);
        }
        for (String server : List.of("a", "b")) {
            assertEquals(
                    0,
                    number(
                            server,
                            "select (select count(*) from pg_replication_slots) + (select count(*) from pg_publication)"
                                    + " + (select count(*) from pg_subscription) + (select count(*) from pg_replication_origin)"));
        }
    }

    private void write(ShardRouter router, int writer) {
        for (int seq = 0; !over.get(); seq++) {
            long begin = System.nanoTime();
            try (Connection connection = router.openConnection("load", KEY)) {
                if (writer % 4 == 3) {
                    writeInAutocommit(connection, writer, seq);
                } else {
                    writeInTransaction(connection, writer, seq);
                }
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

    /** The rows of both virtual shards that nobody changes, wherever they are. */
    private void countEverywhere(ShardRouter router) {
        while (!over.get()) {
            try {
                List<Long> counts = router.fanOut("load")
                        .query("select count(*) from event where writer = ?", row -> row.getLong(1), 100);
                if (!counts.equals(List.of(60_000L))) {
                    errors.computeIfAbsent("count " + counts, key -> new AtomicLong())
                            .incrementAndGet();
                }
                fanOuts.incrementAndGet();
            } catch (SQLException failure) {
                errors.computeIfAbsent("fan-out " + failure.getMessage(), key -> new AtomicLong())
                        .incrementAndGet();
            }
        }
    }

    private void writeInAutocommit(Connection connection, int writer, int seq) throws SQLException {
        if (writer >= PREPARING) {
            // Two rows in a batch; each number twice as high, so that none comes twice.
            try (PreparedStatement batch = connection.prepareStatement(INSERT)) {
                for (int row = 2 * seq; row <= 2 * seq + 1; row++) {
                    bind(batch, writer, row);
                    batch.addBatch();
                }
                batch.executeBatch();
            }
            acknowledged.add(writer + "/" + 2 * seq);
            acknowledged.add(writer + "/" + (2 * seq + 1));
        } else {
            insert(connection, writer, seq);
            acknowledged.add(writer + "/" + seq);
        }
        try (Statement statement = connection.createStatement()) {
            acknowledged.removeAll(deleteOld(statement, writer, seq));
        }
    }

    private void writeInTransaction(Connection connection, int writer, int seq) throws SQLException {
        connection.setTransactionIsolation(
                switch (writer % 4) {
                    case 1 -> Connection.TRANSACTION_REPEATABLE_READ;
                    case 2 -> Connection.TRANSACTION_SERIALIZABLE;
                    default -> Connection.TRANSACTION_READ_COMMITTED;
                });
        connection.setAutoCommit(false);
        insert(connection, writer, seq);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update counter set n = n + 1 where vs = 1 and writer = " + writer);
            List<String> old = deleteOld(statement, writer, seq);
            connection.commit();
            acknowledged.add(writer + "/" + seq);
            counted.incrementAndGet();
            acknowledged.removeAll(old);
        }
    }

    /** Deletes ten rows now and then, so that a long run stays as small as a short one; each must still be there, once. */
    private List<String> deleteOld(Statement statement, int writer, int seq) throws SQLException {
        if (seq % 10 != 9 || seq < KEPT) {
            return List.of();
        }
        int last = seq - KEPT + 10;
        List<String> old = IntStream.rangeClosed(last - 9, last)
                .mapToObj(row -> writer + "/" + row)
                .filter(acknowledged::contains)
                .toList();
        int rows = statement.executeUpdate("delete from event where vs = 1 and writer = " + writer + " and seq between "
                + (last - 9) + " and " + last);
        if (rows != old.size()) {
            errors.computeIfAbsent("deleted " + rows + " of " + old, key -> new AtomicLong())
                    .incrementAndGet();
        }
        return old;
    }

    private static void insert(Connection connection, int writer, int seq) throws SQLException {
        if (writer >= PREPARING) {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                bind(insert, writer, seq);
                insert.executeUpdate();
            }
        } else {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into event (vs, writer, seq) values (1, " + writer + ", " + seq + ")");
            }
        }
    }

    private static void bind(PreparedStatement insert, int writer, int seq) throws SQLException {
        insert.setInt(1, writer);
        insert.setInt(2, seq);
    }

    private long number(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void check() throws SQLException {
        Set<String> stored = new TreeSet<>();
        try (Connection connection = servers.get("a").openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select writer || '/' || seq from event where vs = 1 and writer < 100")) {
            while (row.next()) {
                stored.add(row.getString(1));
            }
        }
        for (String error : errors.keySet()) {
            assertTrue(error.startsWith("40001") || error.startsWith("40P01"), () -> "error: " + errors);
        }
        assertEquals(acknowledged, stored, "every acknowledged write once, and no other");
        assertEquals(counted.get(), number("a", "select sum(n) from counter where vs = 1"));
        assertEquals(
                30_000, number("a", "select count(*) from event where vs = 1 and writer = 100 and note = 'before'"));
        assertEquals(neighbour, number("a", NEIGHBOUR));
        assertEquals(0, number("b", "select count(*) from event"));
        assertEquals(THREADS, number("a", """
                        select count(*) from counter where vs = 1 and big = repeat(md5(writer::text), 1000)
                           and tags = array['a', null, 'b'] and doc = '{"k": [1, null]}'
                        """));
        assertTrue(counted.get() > THREADS && fanOuts.get() > MOVES, "the load ran");
    }
}
