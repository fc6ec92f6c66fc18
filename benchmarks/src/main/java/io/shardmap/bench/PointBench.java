package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.routed.RoutingMode;
import io.shardmap.testkit.DelayingProxy;
import io.shardmap.testkit.PostgresServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Statements of one key, from opening the connection to closing it. */
record PointBench(Rounds rounds) implements Bench {
    /**
     * The same read, in the form that takes the lock: the router knows no function of this name, and cannot prove that it only reads.
     * To PostgreSQL it is as good as nothing.
     */
    private static final String UNPROVEN_BY_ID = "select id, int4larger(shard, 0), title from book where id = ?";

    private static final Duration EACH_WAY = Duration.ofNanos(500_000);
    private static final int SERVERS = 3;

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        Comparison comparison = new Comparison(rounds, lines);
        try (Peer peer = Peer.load()) {
            Cluster memory = Cluster.h2(SERVERS);
            trusted("point-h2-trust", 1.15, memory, peer, comparison);
            try (PostgresServers servers = PostgresServers.start("ds_0", "ds_1", "ds_2")) {
                Cluster cluster = Cluster.postgres(servers);
                cluster.fill();
                trusted("point-pg-trust", 1.10, cluster, peer, comparison);
                strict(cluster, comparison);
                withNetwork(servers, comparison);
            }
        }
    }

    private static void trusted(String name, double target, Cluster cluster, @Nullable Peer peer, Comparison comparison)
            throws Exception {
        try (ShardRouter router = cluster.router(RoutingMode.TRUST);
                Cluster.Pools raw = cluster.pools();
                Cluster.Pools peerPools = cluster.pools()) {
            comparison.run(
                    name,
                    target,
                    () -> Statements.select(id -> router.openConnection(Cluster.MAP, id), Books.BY_ID),
                    () -> Statements.select(raw::open, Books.BY_ID),
                    select(peer, peerPools));
        }
    }

    private static @Nullable Supplier<Work> select(@Nullable Peer peer, Cluster.Pools pools) throws Exception {
        if (peer == null) {
            return null;
        }
        DataSource source = peer.over(pools);
        return () -> Statements.select(id -> source.getConnection(), Books.BY_ID);
    }

    private static void strict(Cluster cluster, Comparison comparison) throws Exception {
        try (ShardRouter router = cluster.router(RoutingMode.STRICT);
                Cluster.Pools pools = cluster.pools()) {
            ByKey ours = id -> router.openConnection(Cluster.MAP, id);
            ByKey raw = pools::open;
            comparison.run(
                    "point-pg-strict",
                    1.4,
                    () -> Statements.select(ours, Books.BY_ID),
                    () -> Statements.select(raw, Books.BY_ID),
                    null);
            comparison.run(
                    "point-pg-locked",
                    1.75,
                    () -> Statements.select(ours, UNPROVEN_BY_ID),
                    () -> Statements.select(raw, UNPROVEN_BY_ID),
                    null);
            comparison.run("update-pg-strict", 1.4, () -> Statements.update(ours), () -> Statements.update(raw), null);
            comparison.run(
                    "tx-pg-strict", 1.3, () -> Statements.transaction(ours), () -> Statements.transaction(raw), null);
        }
    }

    private static void withNetwork(PostgresServers servers, Comparison comparison) throws Exception {
        List<DelayingProxy> proxies = new ArrayList<>();
        try {
            Cluster distant = Cluster.postgres(servers, server -> {
                DelayingProxy proxy = DelayingProxy.before(server, EACH_WAY);
                proxies.add(proxy);
                return server.jdbcUrlThrough(proxy);
            });
            try (ShardRouter router = distant.router(RoutingMode.STRICT);
                    Cluster.Pools pools = distant.pools()) {
                ByKey ours = id -> router.openConnection(Cluster.MAP, id);
                ByKey raw = pools::open;
                comparison.run(
                        "point-pg-strict-net",
                        1.15,
                        () -> Statements.select(ours, Books.BY_ID),
                        () -> Statements.select(raw, Books.BY_ID),
                        null);
                comparison.run(
                        "tx-pg-strict-net",
                        1.15,
                        () -> Statements.transaction(ours),
                        () -> Statements.transaction(raw),
                        null);
            }
        } finally {
            proxies.forEach(DelayingProxy::close);
        }
    }
}
