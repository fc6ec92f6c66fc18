package io.shardmap.store;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction on a connection borrowed from the pool. It sets what it needs and gives the connection back as it was; what is not
 * committed is rolled back.
 */
final class StoreConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreConnection.class);

    private final Connection connection;
    private final Dialect dialect;
    private final boolean autoCommit;
    private Dialect.Undo undo = unchanged -> {};
    private boolean committed;

    private StoreConnection(Connection connection) throws SQLException {
        this.connection = connection;
        this.dialect = Dialect.of(connection);
        this.autoCommit = connection.getAutoCommit();
    }

    /** Begins a transaction whose statements all see one snapshot, and that read-only credentials may run. */
    static StoreConnection snapshot(DataSource dataSource) throws SQLException {
        return open(dataSource, true);
    }

    /** Begins a transaction that changes something. */
    static StoreConnection change(DataSource dataSource) throws SQLException {
        return open(dataSource, false);
    }

    private static StoreConnection open(DataSource dataSource, boolean read) throws SQLException {
        Connection borrowed = dataSource.getConnection();
        StoreConnection opened;
        try {
            opened = new StoreConnection(borrowed);
        } catch (SQLException | RuntimeException failure) {
            closeAfter(failure, borrowed);
            throw failure;
        }
        try {
            opened.begin(read);
            return opened;
        } catch (SQLException | RuntimeException failure) {
            closeAfter(failure, opened);
            throw failure;
        }
    }

    private static void closeAfter(Exception failure, AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception second) {
            failure.addSuppressed(second);
        }
    }

    private void begin(boolean read) throws SQLException {
        if (autoCommit) {
            connection.setAutoCommit(false);
        } else {
            // The pool's own check of the connection may have begun a transaction.
            connection.rollback();
        }
        undo = dialect.begin(connection, read);
    }

    Connection jdbc() {
        return connection;
    }

    Dialect dialect() {
        return dialect;
    }

    void commit() throws SQLException {
        connection.commit();
        committed = true;
    }

    /**
     * Rolls back unless committed, and returns the connection. Does not fail: what was committed stays so, and a connection whose state
     * cannot be restored is destroyed instead of returned.
     */
    @Override
    public void close() {
        try (connection) {
            restore();
        } catch (SQLException failure) {
            LOG.debug("Connection to the shard-map database did not close cleanly", failure);
        }
    }

    private void restore() throws SQLException {
        try {
            if (!committed) {
                connection.rollback();
            }
            undo.accept(connection);
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException failure) {
            connection.abort(Runnable::run);
            throw failure;
        }
    }
}
