package io.shardmap.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * A fan-out as a careful application would write it: one task per server on threads that are kept, the first on the calling thread, each
 * reading its rows in a transaction by pieces. Nothing proves that the servers together hold each row once.
 */
final class ByHand implements AutoCloseable {
    private final List<? extends DataSource> servers;
    private final ExecutorService workers;

    ByHand(Cluster.Pools pools) {
        this.servers = pools.all();
        this.workers = Executors.newFixedThreadPool(servers.size() - 1);
    }

    /** Reads rows to their end. */
    @FunctionalInterface
    interface Reading<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Returns what was read from each server. */
    <T> List<T> query(String sql, Reading<T> reading) throws Exception {
        List<Future<T>> others = new ArrayList<>(servers.size() - 1);
        for (DataSource server : servers.subList(1, servers.size())) {
            others.add(workers.submit(() -> one(server, sql, reading)));
        }
        List<T> read = new ArrayList<>(servers.size());
        read.add(one(servers.get(0), sql, reading));
        for (Future<T> other : others) {
            read.add(other.get());
        }
        return read;
    }

    private static <T> T one(DataSource server, String sql, Reading<T> reading) throws SQLException {
        try (Connection connection = server.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setFetchSize(FanOutBench.FETCH_SIZE);
                try (ResultSet rows = statement.executeQuery()) {
                    return reading.read(rows);
                }
            } finally {
                connection.rollback();
            }
        }
    }

    @Override
    public void close() {
        workers.shutdown();
    }
}
