package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.routed.RoutingMode;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Queries over all servers, beside the same queries sent by hand in parallel. */
record FanOutBench(Rounds rounds) implements Bench {
    /** Rows that a server sends at a time, whoever asks; the router's default. */
    static final int FETCH_SIZE = 1_000;

    private static final double TARGET = 1.2;
    private static final int SERVERS = 3;

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        Comparison comparison = new Comparison(rounds, lines);
        try (Peer peer = Peer.load()) {
            compare("fanout-count-h2", Cluster.h2(SERVERS), peer, comparison, Books.COUNT_ALL, FanOutBench::count);
            try (PostgresServers servers = PostgresServers.start("ds_0", "ds_1", "ds_2")) {
                Cluster cluster = new Cluster(
                        servers.all().stream().map(PostgresServer::jdbcUrl).toList(),
                        servers.get(0).user(),
                        servers.get(0).password());
                cluster.fill();
                compare("fanout-scan-pg", cluster, peer, comparison, Books.SCAN, FanOutBench::sum);
            }
        }
    }

    private static void compare(
            String name,
            Cluster cluster,
            @Nullable Peer peer,
            Comparison comparison,
            String sql,
            ByHand.Reading reading)
            throws Exception {
        try (ShardRouter router = cluster.router(RoutingMode.STRICT);
                Cluster.Pools pools = cluster.pools();
                ByHand byHand = new ByHand(pools);
                Cluster.Pools peerPools = cluster.pools()) {
            FanOut fanOut = router.fanOut(Cluster.MAP).fetchSize(FETCH_SIZE);
            comparison.run(
                    name,
                    TARGET,
                    () -> () -> {
                        try (FanOutResult result = fanOut.query(sql)) {
                            return reading.read(result.resultSet());
                        }
                    },
                    () -> () -> byHand.query(sql, reading),
                    peer == null ? null : through(peer.over(peerPools), sql, reading));
        }
    }

    private static Supplier<Work> through(DataSource peer, String sql, ByHand.Reading reading) {
        return () -> () -> {
            try (Connection connection = peer.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setFetchSize(FETCH_SIZE);
                    try (ResultSet rows = statement.executeQuery()) {
                        return reading.read(rows);
                    }
                } finally {
                    connection.rollback();
                }
            }
        };
    }

    private static long count(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getLong(1);
    }

    private static long sum(ResultSet rows) throws SQLException {
        long sum = 0;
        while (rows.next()) {
            sum += rows.getLong(1) + rows.getLong(2) + rows.getString(3).length();
        }
        return sum;
    }
}
