package io.shardmap.jdbc.pool;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of one server.
 *
 * @param made what the factory made
 * @param front what connections are taken from
 */
record ServerPool(DataSource made, DataSource front) {
    private static final Logger LOG = LoggerFactory.getLogger(ServerPool.class);

    /** Closes idle connections now and those in use when they are given back. */
    void retire() {
        if (made instanceof HikariDataSource hikari && hikari.getHikariPoolMXBean() != null) {
            hikari.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** Returns whether a connection is in use, or about to be; of other pools than HikariCP's nobody knows. */
    boolean isUsed() {
        if (made instanceof HikariDataSource hikari && hikari.getHikariPoolMXBean() != null) {
            HikariPoolMXBean pool = hikari.getHikariPoolMXBean();
            return pool.getActiveConnections() > 0 || pool.getThreadsAwaitingConnection() > 0;
        }
        return false;
    }

    boolean hasIdle() {
        return made instanceof HikariDataSource hikari
                && hikari.getHikariPoolMXBean() != null
                && hikari.getHikariPoolMXBean().getIdleConnections() > 0;
    }

    boolean isExhausted() {
        return made instanceof HikariDataSource hikari
                && hikari.getHikariPoolMXBean() != null
                && hikari.getHikariPoolMXBean().getActiveConnections() >= hikari.getMaximumPoolSize();
    }

    boolean isClosed() {
        return made instanceof HikariDataSource hikari && hikari.isClosed();
    }

    void close() {
        if (made instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception failure) {
                LOG.warn("a pool could not be closed: pool={}", made, failure);
            }
        }
    }
}
