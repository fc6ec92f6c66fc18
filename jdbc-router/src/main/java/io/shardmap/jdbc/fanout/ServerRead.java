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
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A share whose rows are merged as they come.
 *
 * <p>On PostgreSQL one round trip carries BEGIN, the lock with the ownership rows, and the query. So the query runs before all other
 * servers have confirmed what they own; its rows are handed out only after that. Each server's statement sees at least what was committed
 * when its own lock was granted, which is what counts: no virtual shard can leave a server while the lock is held.
 */
final class ServerRead extends Share {
    private final ServerDialect dialect;
    private final int mapNumber;

    private volatile @Nullable Statement statement;
    private @Nullable ResultSet rows;
    private @Nullable Batches batches;
    private boolean entered;
    private List<OwnershipRow> ownership = List.of();
    private Set<Integer> copies = Set.of();
    private List<SortType> sortTypes = List.of();
    private long count;
    private String countLabel = "";
    private long taken;

    ServerRead(Server server, ServerDialect dialect, int mapNumber, long startedAt) {
        super(server, startedAt);
        this.dialect = dialect;
        this.mapNumber = mapNumber;
    }

    @Override
    List<OwnershipRow> ownership() {
        return ownership;
    }

    Set<Integer> copies() {
        return copies;
    }

    List<SortType> sortTypes() {
        return sortTypes;
    }

    @Override
    long taken() {
        return taken;
    }

    ResultSet rows() {
        ResultSet open = rows;
        if (open == null) {
            throw new IllegalStateException("share must have started: server=" + name());
        }
        return open;
    }

    @Override
    void reconnect(Connection opened) {
        super.reconnect(opened);
        statement = null;
        rows = null;
        batches = null;
        entered = false;
    }

    /** Takes the lock, unless it counts in snapshots, reads the ownership rows and starts the query, with a filter when copies must not be counted. */
    void start(ShareQuery query, Set<Integer> expectedCopies) throws SQLException {
        Connection open = connection();
        if (query.countsInSnapshots()) {
            count(open, query, expectedCopies);
            return;
        }
        if (query.snapshot()) {
            enterSnapshot();
        } else if (dialect.oneRoundTrip()) {
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
        sortTypes = query.sortTypes(open, server());
    }

    /** Takes the lock and then the snapshot that the transaction keeps, once. */
    void enterSnapshot() throws SQLException {
        if (!entered) {
            Connection open = connection();
            Statement entering = open.createStatement();
            statement = entering;
            ownership = dialect.enterSnapshot(open, entering, mapNumber);
            entering.execute("SET TRANSACTION READ ONLY");
            entering.close();
            entered = true;
        }
    }

    /** Takes the lock and reads the ownership rows in statements of their own, where {@link #start} cannot. */
    void lock() throws SQLException {
        Connection open = connection();
        readCommitted(open);
        open.setAutoCommit(false);
        ownership = dialect.enterMap(open, mapNumber);
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
        query.bind(prepared, name());
        return prepared;
    }

    private void read(ResultSet result, ShareQuery query) {
        rows = result;
        batches =
                dialect.fetchesInBatches() && query.mayExceedOneFetch() ? new Batches(result, query.fetchSize()) : null;
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

    @Override
    void cancelOn(Connection open) throws SQLException {
        Statement running = statement;
        if (running != null) {
            dialect.cancel(open, running);
        }
    }

    @Override
    void quieten() {
        Batches more = batches;
        if (more != null) {
            more.stop(this::cancel);
        }
    }

    @Override
    void stop() throws SQLException {
        Statement last = statement;
        if (last != null) {
            last.close();
        }
    }
}
