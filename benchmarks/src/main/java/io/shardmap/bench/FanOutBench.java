package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.routed.RoutingMode;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Queries over all servers, beside the same queries sent by hand in parallel. */
record FanOutBench(Rounds rounds) implements Bench {
    /** Rows that a server sends at a time, whoever asks; the router's default. */
    static final int FETCH_SIZE = 2_000;

    private static final double TARGET = 1.2;
    private static final int SERVERS = 3;

    private static final Question<Long> COUNT = new Question<>(
            "select count(*) from book",
            FanOutBench::count,
            counts -> counts.stream().mapToLong(count -> count).sum());
    private static final Question<List<Book>> SCAN = new Question<>(
            "select id, shard, title from book",
            FanOutBench::books,
            parts -> parts.stream().flatMap(List::stream).mapToLong(Book::sum).sum());

    /**
     * A query, and what is made of its rows.
     *
     * @param sql the query
     * @param reading reads the rows of one server, or of all
     * @param result a number made of the readings of all servers, to compare contenders by
     */
    private record Question<T>(String sql, ByHand.Reading<T> reading, ToLongFunction<List<T>> result) {}

    private record Book(long id, long shard, String title) {
        long sum() {
            return id + shard + title.length();
        }
    }

    private static long count(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getLong(1);
    }

    private static List<Book> books(ResultSet rows) throws SQLException {
        List<Book> books = new ArrayList<>();
        while (rows.next()) {
            books.add(new Book(rows.getLong(1), rows.getLong(2), rows.getString(3)));
        }
        return books;
    }

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        Comparison comparison = new Comparison(rounds, lines);
        try (Peer peer = Peer.load()) {
            compare("fanout-count-h2", Cluster.h2(SERVERS), peer, comparison, COUNT);
            try (PostgresServers servers = PostgresServers.start("ds_0", "ds_1", "ds_2")) {
                Cluster cluster = Cluster.postgres(servers);
                cluster.fill();
                compare("fanout-scan-pg", cluster, peer, comparison, SCAN);
            }
        }
    }

    private static <T> void compare(
            String name, Cluster cluster, @Nullable Peer peer, Comparison comparison, Question<T> question)
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
                        try (FanOutResult result = fanOut.query(question.sql())) {
                            T all = question.reading().read(result.resultSet());
                            return question.result().applyAsLong(List.of(all));
                        }
                    },
                    () -> () -> question.result().applyAsLong(byHand.query(question.sql(), question.reading())),
                    peer == null ? null : through(peer.over(peerPools), question));
        }
    }

    private static <T> Supplier<Work> through(DataSource peer, Question<T> question) {
        return () -> () -> {
            try (Connection connection = peer.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement statement = connection.prepareStatement(question.sql())) {
                    statement.setFetchSize(FETCH_SIZE);
                    try (ResultSet rows = statement.executeQuery()) {
                        T all = question.reading().read(rows);
                        return question.result().applyAsLong(List.of(all));
                    }
                } finally {
                    connection.rollback();
                }
            }
        };
    }
}
