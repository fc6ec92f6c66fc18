package io.shardmap.query;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@link ShardedAndSingle} on servers that are registered as an operator does, and a mover that moves one virtual shard after
 * the other, at random, until it is closed.
 */
final class MovingDatabases implements AutoCloseable {
    private static final String MAP = "books";
    private static final MoveOptions QUICK = new MoveOptions(
            Duration.ofSeconds(10), Duration.ofSeconds(1), 7, Duration.ofSeconds(10), Duration.ofSeconds(60));

    final Connection single;
    private final ServerPools pools;
    private final ShardRouter router;
    private final Thread mover;
    private final AtomicInteger moved = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Throwable failure;

    MovingDatabases(PostgresServers servers, long seed) throws SQLException {
        Credentials login =
                new Credentials(servers.get("map").user(), servers.get("map").password());
        pools = new ServerPools(null, server -> login, config -> {});
        ShardMapSchema.migrate(servers.get("map").dataSource());
        JdbcShardMapStore store = new JdbcShardMapStore(servers.get("map").dataSource(), "test");
        single = servers.get("single").openConnection();
        ShardedAndSingle.execute(single, ShardedAndSingle.TABLES);
        for (String name : ShardedAndSingle.NAMES) {
            new ServerRegistration(store, pools)
                    .add(new Server(name, servers.get(name).jdbcUrl()));
            try (Connection connection = servers.get(name).openConnection()) {
                ShardedAndSingle.execute(connection, ShardedAndSingle.TABLES);
            }
        }
        store.createMap(new ShardMapDefinition(
                MAP, KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Identity(ShardedAndSingle.VIRTUAL_SHARDS))));
        TableRegistration tables = new TableRegistration(store, pools);
        tables.add(MAP, new ShardedTable(null, "book", "vs"), true);
        tables.add(MAP, new ShardedTable("shop", "sale", "vs"), true);
        for (int place = 0; place < ShardedAndSingle.NAMES.size(); place++) {
            String name = ShardedAndSingle.NAMES.get(place);
            List<Integer> shards = new ArrayList<>();
            for (int shard = place; shard < ShardedAndSingle.VIRTUAL_SHARDS; shard += ShardedAndSingle.NAMES.size()) {
                shards.add(shard);
            }
            new ShardAssignment(store, pools).assign(MAP, shards, name);
            try (Connection connection = servers.get(name).openConnection()) {
                for (String rows : List.of(ShardedAndSingle.books(seed), ShardedAndSingle.sales(seed))) {
                    ShardedAndSingle.execute(connection, rows + " and id % 12 % 3 = " + place);
                    ShardedAndSingle.execute(single, rows + " and id % 12 % 3 = " + place);
                }
            }
        }
        router = ShardRouter.builder(store).credentials(server -> login).build();
        mover = new Thread(() -> move(store, new Random(seed)), "mover");
        mover.setUncaughtExceptionHandler((thread, thrown) -> failure = thrown);
        mover.start();
    }

    private void move(JdbcShardMapStore store, Random random) {
        Moves moves = Moves.of(store, pools);
        while (!over.get()) {
            int shard = random.nextInt(ShardedAndSingle.VIRTUAL_SHARDS);
            String from = store.load(MAP).virtualShards().get(shard).server();
            List<String> others = ShardedAndSingle.NAMES.stream()
                    .filter(name -> !name.equals(from))
                    .toList();
            String to = others.get(random.nextInt(others.size()));
            MoveState state = moves.run(moves.start(MAP, shard, to, QUICK)).state();
            if (state != MoveState.DONE) {
                throw new IllegalStateException("move must be done: virtualShard=" + shard + ", state=" + state);
            }
            moved.incrementAndGet();
        }
    }

    FanOut fanOut() {
        return router.fanOut(MAP);
    }

    /** Returns how many virtual shards have moved so far. */
    int moved() {
        Throwable broken = failure;
        if (broken != null) {
            throw new AssertionError("the mover failed", broken);
        }
        return moved.get();
    }

    @Override
    public void close() throws SQLException {
        over.set(true);
        boolean interrupted = false;
        while (mover.isAlive()) {
            try {
                mover.join();
            } catch (InterruptedException interrupt) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        router.close();
        pools.close();
        single.close();
    }
}
