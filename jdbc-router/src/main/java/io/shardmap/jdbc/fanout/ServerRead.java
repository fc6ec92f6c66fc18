package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.jdbc.server.ServerDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
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
 * One server's share of a query: its connection, its transaction with the shared lock of the map, its rows. Used by one thread at a
 * time, except {@link #cancel} and {@link #abort}, which any thread may call.
 *
 * <p>On PostgreSQL one round trip carries BEGIN, the lock with the ownership rows, and the query. So the query runs before all other
 * servers have confirmed what they own; its rows are handed out only after that. Each server's statement sees at least what was committed
 * when its own lock was granted, which is what counts: no virtual shard can leave a server while the lock is held.
 */
final class ServerRead {
    private static final Logger LOG = LoggerFactory.getLogger(ServerRead.class);

    private final Server server;
    private final ServerDialect dialect;
    private final int mapNumber;
    private final long startedAt;
    private final AtomicBoolean released = new AtomicBoolean();
    private final Object cancelling = new Object();

    private volatile @Nullable Connection connection;
    private volatile @Nullable Statement statement;
    private @Nullable Semaphore permit;
    private @Nullable ResultSet rows;
    private @Nullable Batches batches;
    private List<OwnershipRow> ownership = List.of();
    private Set<Integer> copies = Set.of();
    private List<SortType> sortTypes = List.of();
    private long count;
    private String countLabel = "";
    private volatile @Nullable SQLException error;
    private long taken;
    private volatile long endedAt;
    private volatile boolean ended;

    ServerRead(Server server, ServerDialect dialect, int mapNumber, long startedAt) {
        this.server = server;
        this.dialect = dialect;
        this.mapNumber = mapNumber;
        this.startedAt = startedAt;
    }

    Server server() {
        return server;
    }

    String name() {
        return server.name();
    }

    List<OwnershipRow> ownership() {
        return ownership;
    }

    Set<Integer> copies() {
        return copies;
    }

    List<SortType> sortTypes() {
        return sortTypes;
    }

    @Nullable
    SQLException error() {
        return error;
    }

    void fail(SQLException failure) {
        error = failure;
    }

    boolean hasEnded() {
        return ended;
    }

    ResultSet rows() {
        ResultSet open = rows;
        if (open == null) {
            throw new IllegalStateException("share must have started: server=" + name());
        }
        return open;
    }

    ServerOutcome outcome() {
        long end = ended ? endedAt : System.nanoTime();
        return new ServerOutcome(name(), taken, (end - startedAt) / 1_000_000, error);
    }

    /** Hands over the connection, and the permit to give back with it. */
    void connect(Connection opened, @Nullable Semaphore granted) {
        connection = opened;
        permit = granted;
    }

    /** Goes on with another connection; the pool throws the one before away. */
    void reconnect(Connection opened) {
        close(connection);
        connection = opened;
        statement = null;
        rows = null;
        batches = null;
    }

    private Connection connection() {
        Connection open = connection;
        if (open == null) {
            throw new IllegalStateException("share must have a connection: server=" + name());
        }
        return open;
    }

    /** Takes the lock, unless it counts in snapshots, reads the ownership rows and starts the query, with a filter when copies must not be counted. */
    void start(ShareQuery query, Set<Integer> expectedCopies) throws SQLException {
        Connection open = connection();
        if (query.countsInSnapshots()) {
            count(open, query, expectedCopies);
            return;
        }
        if (dialect.oneRoundTrip()) {
            open.setAutoCommit(false);
            startInOneRoundTrip(open, query, expectedCopies);
        }
        copies = copiesIn(ownership);
        ResultSet early = rows;
        if (early == null || !copies.equals(expectedCopies)) {
            if (early != null) {
                early.getStatement().close();
            }
            read(prepare(open, query.sql(copies), query).executeQuery(), query);
        }
        sortTypes = query.sortTypes(open, server);
    }

    /** Takes the lock and reads the ownership rows in statements of their own, where {@link #start} cannot. */
    void lock() throws SQLException {
        Connection open = connection();
        readCommitted(open);
        open.setAutoCommit(false);
        ownership = dialect.enterMap(open, mapNumber);
    }

    private static void readCommitted(Connection open) throws SQLException {
        if (open.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            open.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /** Counts until the filter is the one that the ownership rows beside the count ask for. */
    private void count(Connection open, ShareQuery query, Set<Integer> expectedCopies) throws SQLException {
        readCommitted(open);
        Set<Integer> filtered;
        copies = expectedCopies;
        do {
            filtered = copies;
            try (PreparedStatement prepared = prepare(open, CountSnapshot.sql(query.sql(filtered), mapNumber), query);
                    ResultSet answer = prepared.executeQuery()) {
                CountSnapshot snapshot = CountSnapshot.read(answer);
                ownership = snapshot.ownership();
                count = snapshot.count();
                countLabel = snapshot.label();
            }
            copies = copiesIn(ownership);
        } while (!copies.equals(filtered));
        taken = 1;
    }

    private void startInOneRoundTrip(Connection open, ShareQuery query, Set<Integer> expectedCopies)
            throws SQLException {
        PreparedStatement prepared = prepare(
                open,
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY;"
                        + "SELECT virtual_shard, epoch, owned, holds_copies FROM shardmap.enter_map(" + mapNumber + ");"
                        + query.sql(expectedCopies),
                query);
        prepared.execute();
        prepared.getMoreResults();
        List<OwnershipRow> found = new ArrayList<>();
        try (ResultSet row = prepared.getResultSet()) {
            while (row.next()) {
                found.add(new OwnershipRow(row.getInt(1), row.getLong(2), row.getBoolean(3), row.getBoolean(4)));
            }
        }
        ownership = found;
        prepared.getMoreResults();
        read(prepared.getResultSet(), query);
    }

    private PreparedStatement prepare(Connection open, String sql, ShareQuery query) throws SQLException {
        PreparedStatement prepared = open.prepareStatement(sql);
        statement = prepared;
        prepared.setFetchSize(query.fetchSize());
        query.bind(prepared);
        return prepared;
    }

    private void read(ResultSet result, ShareQuery query) {
        rows = result;
        batches =
                dialect.fetchesInBatches() && query.mayExceedOneFetch() ? new Batches(result, query.fetchSize()) : null;
    }

    private static Set<Integer> copiesIn(List<OwnershipRow> ownership) {
        Set<Integer> copies = null;
        for (OwnershipRow row : ownership) {
            if (row.holdsCopies() && !row.owned()) {
                copies = copies == null ? new TreeSet<>() : copies;
                copies.add(row.virtualShard());
            }
        }
        return copies == null ? Set.of() : copies;
    }

    /** Reads the one row of a count, if it has not been read. */
    void takeCount() throws SQLException {
        if (rows == null) {
            return;
        }
        next();
        count = rows().getLong(1);
        countLabel = rows().getMetaData().getColumnLabel(1);
    }

    long count() {
        return count;
    }

    String countLabel() {
        return countLabel;
    }

    /** Moves to the next row; false at the end. */
    boolean next() throws SQLException {
        Batches fetched = batches;
        boolean found = fetched == null ? rows().next() : fetched.next();
        if (found) {
            taken++;
        }
        return found;
    }

    /** Returns whether the row after the current one has to be fetched from the server, if there is one. */
    boolean mustFetch() {
        Batches fetched = batches;
        return fetched != null && fetched.isRead();
    }

    /** Leaves the current row and starts to fetch the next ones, for {@link #next} to find. */
    void prefetch(Executor executor) {
        Batches fetched = batches;
        if (fetched != null) {
            fetched.prefetch(executor);
        }
    }

    /** Interrupts what runs on the server now. Waits only until the server has been told. */
    void cancel() {
        synchronized (cancelling) {
            Connection open = connection;
            Statement running = statement;
            if (open != null && running != null && !ended) {
                try {
                    dialect.cancel(open, running);
                } catch (SQLException gone) {
                    LOG.debug("nothing to cancel: server={}", name(), gone);
                }
            }
        }
    }

    /** Cuts the connection, when cancelling did not help. */
    void abort(Executor executor) {
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
    void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        Batches more = batches;
        if (more != null) {
            more.stop(this::cancel);
        }
        synchronized (cancelling) { // a cancel that is on its way must not meet the next user of the connection
            endedAt = System.nanoTime();
            ended = true;
        }
        Connection open = connection;
        try {
            Statement last = statement;
            if (last != null) {
                last.close();
            }
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
