package io.shardmap.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs a unit of work in a transaction on the server that holds a key, and repeats it when it was rolled back for a reason that may
 * pass: serialization failure (40001), deadlock (40P01), a virtual shard that is changing server. A failed COMMIT whose outcome is
 * unknown is never repeated. The work may therefore run more than once: it must have no effect outside its connection. Safe for use
 * by many threads.
 */
public final class TransactionTemplate {

    /** Work on an open transaction; it neither commits nor closes the connection. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /** Does the work. */
        T run(Connection connection) throws SQLException;
    }

    /**
     * How a transaction is run and repeated.
     *
     * @param isolation a {@link Connection} isolation constant, 0 for the server's default
     * @param readOnly whether the transaction only reads
     * @param attempts how often the work runs at most, at least 1
     * @param firstPause pause before the second attempt; doubles from then on, with jitter
     */
    public record Policy(int isolation, boolean readOnly, int attempts, Duration firstPause) {
        /** The server's isolation, read-write, at most 5 attempts, 5 ms. */
        public static final Policy DEFAULT = new Policy(0, false, 5, Duration.ofMillis(5));

        /** Validates the number of attempts. */
        public Policy {
            if (attempts < 1) {
                throw new IllegalArgumentException("attempts must be >= 1: attempts=" + attempts);
            }
        }
    }

    private final ShardRouter router;
    private final String map;
    private final Policy policy;

    TransactionTemplate(ShardRouter router, String map, Policy policy) {
        this.router = router;
        this.map = map;
        this.policy = policy;
    }

    /** Returns a template with another policy. */
    public TransactionTemplate with(Policy other) {
        return new TransactionTemplate(router, map, other);
    }

    /**
     * Runs the work and commits.
     *
     * @throws SQLException what the work or the commit threw last
     */
    public <T extends @Nullable Object> T execute(Object key, Work<T> work) throws SQLException {
        long pause = policy.firstPause().toNanos();
        for (int attempt = 1; ; attempt++) {
            boolean[] committing = {false};
            try {
                return once(key, work, committing);
            } catch (SQLException error) {
                if (attempt == policy.attempts() || !repeatable(error, committing[0]) || interrupted()) {
                    throw error;
                }
                LockSupport.parkNanos(
                        this, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
                pause *= 2;
            }
        }
    }

    private <T extends @Nullable Object> T once(Object key, Work<T> work, boolean[] committing) throws SQLException {
        try (Connection connection = router.openConnection(map, key)) {
            if (policy.isolation() != 0) {
                connection.setTransactionIsolation(policy.isolation());
            }
            connection.setReadOnly(policy.readOnly());
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                committing[0] = true;
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error error) {
                rollback(connection, error);
                throw error;
            }
        }
    }

    private static void rollback(Connection connection, Throwable error) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            error.addSuppressed(broken);
        }
    }

    /** A definite answer of the server that the transaction was rolled back, or a refusal before it began. */
    private static boolean repeatable(SQLException error, boolean committing) {
        String state = error.getSQLState();
        if ("40001".equals(state) || "40P01".equals(state)) {
            return true;
        }
        return !committing && error instanceof SQLTransientException;
    }

    private static boolean interrupted() {
        return Thread.currentThread().isInterrupted();
    }
}
