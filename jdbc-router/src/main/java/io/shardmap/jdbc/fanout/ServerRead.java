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

    /** A cursor is planned for a tenth of its rows otherwise; here all are read. */
    private static final String WHOLE_RESULT = "pg_catalog.set_config('cursor_tuple_fraction', '1', true)";

    private final Server server;
    private final ServerDialect dialect;
    private final int mapNumber;
    private final long startedAt;
    private final AtomicBoolean released = new AtomicBoolean();

    private volatile @Nullable Connection connection;
    private volatile @Nullable Statement statement;
    private @Nullable Semaphore permit;
    private @Nullable ResultSet rows;
    private @Nullable Batches batches;
    private @Nullable Executor prefetcher;
    private List<OwnershipRow> ownership = List.of();
    private Set<Integer> copies = Set.of();
    private List<SortType> sortTypes = List.of();
    private long count;
    private String countLabel = "";
    private volatile @Nullable SQLException error;
    private long taken;
    private boolean batchRead;
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
            rows = batches == null ? query(open, query) : queryByCursor(open, query);
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
            try (PreparedStatement prepared =
                            prepare(open, CountSnapshot.sql(query.sql(filtered), mapNumber), query, false);
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
        boolean byCursor = query.mayExceedOneFetch();
        String sql = query.sql(expectedCopies);
        PreparedStatement prepared = prepare(
                open,
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY;"
                        + "SELECT virtual_shard, epoch, owned, holds_copies FROM "
                        + (byCursor ? WHOLE_RESULT + ", " : "")
                        + "shardmap.enter_map(" + mapNumber + ");"
                        + (byCursor ? Batches.open(sql, query.fetchSize()) : sql),
                query,
                byCursor);
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
        rows = byCursor ? firstBatch(open, prepared, query) : prepared.getResultSet();
    }

    private ResultSet query(Connection open, ShareQuery query) throws SQLException {
        PreparedStatement prepared = prepare(open, query.sql(copies), query, false);
        prepared.setFetchSize(query.fetchSize());
        return prepared.executeQuery();
    }

    private ResultSet queryByCursor(Connection open, ShareQuery query) throws SQLException {
        PreparedStatement prepared =
                prepare(open, Batches.close() + ";" + Batches.open(query.sql(copies), query.fetchSize()), query, true);
        prepared.execute();
        prepared.getMoreResults();
        return firstBatch(open, prepared, query);
    }

    /** Goes from the result of DECLARE to that of FETCH. */
    private ResultSet firstBatch(Connection open, PreparedStatement prepared, ShareQuery query) throws SQLException {
        prepared.getMoreResults();
        Batches opened = new Batches(open, query.fetchSize(), fetch -> statement = fetch);
        batches = opened;
        return opened.take(prepared.getResultSet());
    }

    private PreparedStatement prepare(Connection open, String sql, ShareQuery query, boolean fetches)
            throws SQLException {
        PreparedStatement prepared = fetches ? Batches.prepare(open, sql) : open.prepareStatement(sql);
        statement = prepared;
        query.bind(prepared);
        return prepared;
    }

    /** From now on the next rows are fetched while the caller reads the current ones, where the server's driver lets it. */
    void prefetch(Executor executor) {
        Batches more = batches;
        if (more != null) {
            prefetcher = executor;
            more.prefetch(executor);
        }
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

    /** Moves to the next row, which may be one of another {@link #rows} than the last. */
    boolean next() throws SQLException {
        while (!nextOfBatch()) {
            if (!mayHaveMore()) {
                return false;
            }
        }
        return true;
    }

    /** Like {@link #next}, but stops once after each batch. */
    boolean nextOfBatch() throws SQLException {
        if (batchRead) {
            takeBatch();
            batchRead = false;
        }
        if (rows().next()) {
            taken++;
            return true;
        }
        batchRead = true;
        return false;
    }

    /** Returns whether there may be rows after the current batch. */
    boolean mayHaveMore() {
        Batches more = batches;
        return more != null && more.mayHaveMore();
    }

    private void takeBatch() throws SQLException {
        Batches more = batches;
        ResultSet batch = more == null ? null : more.next();
        Executor executor = prefetcher;
        if (more != null && batch != null) {
            rows = batch;
            if (executor != null) {
                more.prefetch(executor);
            }
        }
    }

    /** Interrupts what runs on the server now. Never waits for it. */
    void cancel() {
        Statement running = statement;
        if (running != null && !ended) {
            try {
                running.cancel();
            } catch (SQLException gone) {
                LOG.debug("nothing to cancel: server={}", name(), gone);
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
        endedAt = System.nanoTime();
        ended = true;
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
