package io.shardmap.migrate.move;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.pool.ServerPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of one mover on one server. Every transaction holds the mover's token while it runs, so nothing happens after a successor
 * raised it. The physical connection is not given back to the pool: it ends with the session. Used by one thread.
 */
final class MoverSession implements AutoCloseable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(25);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(MoverSession.class);

    private final String server;
    private final HikariDataSource pool;
    private final Connection connection;
    private final MoverDialect dialect;
    private final Place place;
    private final long token;
    private final Duration lockWait;

    private MoverSession(
            String server, HikariDataSource pool, Connection connection, Place place, long token, Duration lockWait)
            throws SQLException {
        this.server = server;
        this.pool = pool;
        this.connection = connection;
        this.dialect = MoverDialect.of(connection);
        this.place = place;
        this.token = token;
        this.lockWait = lockWait;
    }

    /** Work in a transaction. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run(Connection connection, MoverDialect dialect) throws SQLException;
    }

    static MoverSession open(ServerPools pools, Server server, Place place, long token, Duration lockWait) {
        HikariDataSource pool = pools.pool(server);
        try {
            try {
                return open(pool, server, place, token, lockWait);
            } catch (SQLException stale) {
                if (!ServerFailures.isConnection(stale)) {
                    throw stale;
                }
                // The server may have restarted since the pool last looked at its idle connections.
                pool.getHikariPoolMXBean().softEvictConnections();
                return open(pool, server, place, token, lockWait);
            }
        } catch (SQLException failure) {
            throw ServerFailures.of(server.name(), "connect", failure);
        }
    }

    private static MoverSession open(HikariDataSource pool, Server server, Place place, long token, Duration lockWait)
            throws SQLException {
        Connection connection = pool.getConnection();
        try {
            MoverSession session = new MoverSession(server.name(), pool, connection, place, token, lockWait);
            session.dialect.prepareSession(connection, place, token);
            return session;
        } catch (SQLException | RuntimeException failure) {
            pool.evictConnection(connection);
            throw failure;
        }
    }

    String server() {
        return server;
    }

    /** Runs work in a transaction that holds the token. */
    <T extends @Nullable Object> T run(String step, Work<T> work) {
        return unchecked(step, (on, speaking) -> {
            requireToken();
            return work.run(on, speaking);
        });
    }

    /** Like {@link #run}, for work that can be repeated: a lock that somebody else keeps for a while is waited for. */
    <T extends @Nullable Object> T runPatiently(String step, Work<T> work) {
        long start = System.nanoTime();
        while (true) {
            try {
                return run(step, work);
            } catch (ShardMapException failure) {
                if (!ServerFailures.isLockTimeout(failure) || System.nanoTime() - start > lockWait.toNanos()) {
                    throw failure;
                }
            }
            Waiting.pause(this, FIRST_PAUSE);
        }
    }

    /**
     * Runs work that changes nothing in a transaction that does not hold the token: other sessions of this mover may need it meanwhile,
     * and H2 has no shared row locks.
     */
    <T extends @Nullable Object> T read(String step, Work<T> work) {
        return unchecked(step, (on, speaking) -> {
            if (speaking.token(on, place) != token) {
                throw outdated();
            }
            return work.run(on, speaking);
        });
    }

    /**
     * Runs work in a transaction that holds exclusive locks and the token. The locks are tried in short attempts, so that nobody queues
     * behind the mover for longer than a tenth of a second.
     */
    <T extends @Nullable Object> T runExclusively(String step, LockScope[] scopes, Work<T> work) {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Attempt<T> attempt = unchecked(step, (on, speaking) -> attempt(scopes, work));
            if (attempt.locked()) {
                return attempt.result();
            }
            if (System.nanoTime() - start > lockWait.toNanos()) {
                throw new ShardMapException(
                        ErrorCode.SHARD_MOVING,
                        "exclusive lock must be free for an instant: server=" + server + ", virtualShard=" + place
                                + ", step=" + step + ", waited=" + lockWait
                                + "; end the transaction that holds it, or allow a longer lock wait");
            }
            Waiting.pause(this, pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private record Attempt<T extends @Nullable Object>(boolean locked, T result) {}

    @SuppressWarnings("NullAway") // without the lock there is no result
    private <T extends @Nullable Object> Attempt<T> attempt(LockScope[] scopes, Work<T> work) throws SQLException {
        for (LockScope scope : scopes) {
            if (!dialect.tryLock(connection, place, scope)) {
                connection.rollback();
                return new Attempt<>(false, null);
            }
        }
        requireToken();
        return new Attempt<>(true, work.run(connection, dialect));
    }

    /** Runs work in a transaction without any check: to raise the token, or to look. */
    <T extends @Nullable Object> T unchecked(String step, Work<T> work) {
        try {
            boolean done = false;
            try {
                T result = work.run(connection, dialect);
                connection.commit();
                done = true;
                return result;
            } finally {
                if (!done) {
                    rollback();
                }
            }
        } catch (SQLException failure) {
            throw ServerFailures.of(server, step, failure);
        }
    }

    private void requireToken() throws SQLException {
        if (!dialect.holdToken(connection, place, token)) {
            throw outdated();
        }
    }

    private ConcurrentChangeException outdated() {
        return new ConcurrentChangeException("mover must hold the token of the server: server=" + server
                + ", virtualShard=" + place + ", token=" + token + "; another mover has taken over");
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            LOG.debug("session of a mover is gone: server={}", server, broken);
        }
    }

    /** Breaks the connection from another thread, whatever its own one waits for. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException broken) {
            LOG.debug("session of a mover is gone: server={}", server, broken);
        }
    }

    /** Ends the physical connection; nothing of a mover's settings comes back to the pool. */
    @Override
    public void close() {
        pool.evictConnection(connection);
    }
}
