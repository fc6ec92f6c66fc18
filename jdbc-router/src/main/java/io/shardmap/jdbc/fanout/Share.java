package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.server.OwnershipRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server's share of a query: its connection and its transaction, which holds the shared lock of the map. Used by one thread at a time,
 * except {@link #cancel} and {@link #abort}, which any thread may call.
 */
abstract class Share {
    private static final Logger LOG = LoggerFactory.getLogger(Share.class);

    private final Server server;
    private final long startedAt;
    private final AtomicBoolean released = new AtomicBoolean();
    private final Object cancelling = new Object();

    private volatile @Nullable Connection connection;
    private @Nullable Semaphore permit;
    private volatile @Nullable SQLException error;
    private volatile long endedAt;
    private volatile boolean ended;

    Share(Server server, long startedAt) {
        this.server = server;
        this.startedAt = startedAt;
    }

    final Server server() {
        return server;
    }

    final String name() {
        return server.name();
    }

    /** Returns what the server says it owns, once it was asked. */
    abstract List<OwnershipRow> ownership();

    /** Returns how many of its rows were taken so far. */
    abstract long taken();

    final @Nullable SQLException error() {
        return error;
    }

    final void fail(SQLException failure) {
        error = failure;
    }

    final boolean hasEnded() {
        return ended;
    }

    final ServerOutcome outcome() {
        long end = ended ? endedAt : System.nanoTime();
        return new ServerOutcome(name(), taken(), (end - startedAt) / 1_000_000, error);
    }

    /** Hands over the connection, and the permit to give back with it. */
    final void connect(Connection opened, @Nullable Semaphore granted) {
        connection = opened;
        permit = granted;
    }

    /** Goes on with another connection; the pool throws the one before away. */
    void reconnect(Connection opened) {
        close(connection);
        connection = opened;
    }

    final Connection connection() {
        Connection open = connection;
        if (open == null) {
            throw new IllegalStateException("share must have a connection: server=" + name());
        }
        return open;
    }

    static void readCommitted(Connection open) throws SQLException {
        if (open.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            open.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /** Returns the virtual shards whose rows may be on a server although it does not own them. */
    static Set<Integer> copiesIn(List<OwnershipRow> ownership) {
        Set<Integer> copies = null;
        for (OwnershipRow row : ownership) {
            if (row.holdsCopies() && !row.owned()) {
                copies = copies == null ? new TreeSet<>() : copies;
                copies.add(row.virtualShard());
            }
        }
        return copies == null ? Set.of() : copies;
    }

    /** Cancels what runs on the connection now, if anything does. */
    abstract void cancelOn(Connection open) throws SQLException;

    /** Ends what the driver must not find open when the transaction ends. Nothing else runs on the connection by then. */
    abstract void stop() throws SQLException;

    /** Waits until nothing runs in the background any more. */
    void quieten() {}

    /** Interrupts what runs on the server now. Waits only until the server has been told. */
    final void cancel() {
        synchronized (cancelling) {
            Connection open = connection;
            if (open != null && !ended) {
                try {
                    cancelOn(open);
                } catch (SQLException gone) {
                    LOG.debug("nothing to cancel: server={}", name(), gone);
                }
            }
        }
    }

    /** Cuts the connection, when cancelling did not help. */
    final void abort(Executor executor) {
        Connection open = connection;
        if (open != null && !ended) {
            try {
                open.abort(executor);
            } catch (SQLException gone) {
                LOG.debug("nothing to abort: server={}", name(), gone);
            }
        }
    }

    /**
     * Ends the transaction, and with it the lock, and gives the connection back, once nothing runs on it any more. Only the first call does
     * something.
     */
    final void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        quieten();
        synchronized (cancelling) { // a cancel that is on its way must not meet the next user of the connection
            endedAt = System.nanoTime();
            ended = true;
        }
        Connection open = connection;
        try {
            stop();
            if (open != null && !open.getAutoCommit()) {
                open.rollback();
            }
        } catch (SQLException broken) {
            LOG.debug("connection was broken: server={}; the pool throws it away", name(), broken);
        } finally {
            close(open);
            Semaphore granted = permit;
            if (granted != null) {
                granted.release();
            }
        }
    }

    private void close(@Nullable Connection open) {
        if (open != null) {
            try {
                open.close();
            } catch (SQLException broken) {
                LOG.debug("connection was broken: server={}; the pool throws it away", name(), broken);
            }
        }
    }
}
