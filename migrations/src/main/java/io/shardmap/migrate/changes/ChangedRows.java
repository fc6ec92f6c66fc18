package io.shardmap.migrate.changes;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which rows of a publication changed since a slot began, and were not settled since. A thread of its own follows the log. What it
 * holds in memory is bounded: past the bound, or after a failure, it knows nothing any more and {@link #lost} says why.
 *
 * <p>Safe for use by several threads.
 */
public final class ChangedRows implements AutoCloseable {
    /** Most rows that are remembered: some 40 MB when their keys are short. */
    private static final int MOST = 200_000;

    private static final int STATUS_INTERVAL_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(ChangedRows.class);

    /**
     * A row, and its last change.
     *
     * @param row the row
     * @param version number of its last change, ever higher
     * @param transaction id of the transaction that made it, without its epoch
     */
    public record Change(ChangedRow row, long version, int transaction) {}

    private final @Nullable Connection connection;
    private final Map<ChangedRow, Change> changes = new LinkedHashMap<>();
    private final Set<String> tablesWithoutKey = new TreeSet<>();
    private long versions;
    private long seen;
    private @Nullable String lost;
    private boolean closed;

    private ChangedRows(@Nullable Connection connection) {
        this.connection = connection;
    }

    /**
     * Follows a slot.
     *
     * @param connection speaks the replication protocol; is closed at the end, whatever happens
     * @param slot name of a slot for {@code pgoutput} that nobody else reads
     * @param publication what to read
     * @param partitions full names of tables by those of their partitions, whose rows are reported as rows of the table
     * @throws SQLException when the publisher refuses
     */
    public static ChangedRows follow(
            Connection connection, String slot, String publication, Map<String, String> partitions)
            throws SQLException {
        ChangedRows rows = new ChangedRows(connection);
        boolean started = false;
        try {
            PGReplicationStream stream = connection
                    .unwrap(PGConnection.class)
                    .getReplicationAPI()
                    .replicationStream()
                    .logical()
                    .withSlotName(slot)
                    .withSlotOption("proto_version", 1)
                    .withSlotOption("publication_names", publication)
                    // Positions are told by messages, which no row comes with.
                    .withSlotOption("messages", true)
                    .withStatusInterval(STATUS_INTERVAL_SECONDS, java.util.concurrent.TimeUnit.SECONDS)
                    .start();
            Thread thread = new Thread(() -> rows.follow(stream, Map.copyOf(partitions)), "shardmap-changes");
            thread.setDaemon(true);
            thread.start();
            started = true;
            return rows;
        } finally {
            if (!started) {
                rows.close();
            }
        }
    }

    /** Returns changes that are {@link #lost} from the beginning. */
    public static ChangedRows lost(String reason, SQLException cause) {
        ChangedRows rows = new ChangedRows(null);
        rows.lose(reason, cause);
        return rows;
    }

    private void follow(PGReplicationStream stream, Map<String, String> partitions) {
        ChangeMessages messages = new ChangeMessages(new Collector(), partitions);
        try {
            while (true) {
                ByteBuffer message = stream.read();
                if (message != null) {
                    messages.read(message);
                } else if (stream.isClosed()) {
                    throw new SQLException("stream of changes must not end");
                }
                LogSequenceNumber received = stream.getLastReceiveLSN();
                stream.setAppliedLSN(received);
                stream.setFlushedLSN(received);
            }
        } catch (SQLException | RuntimeException failure) {
            lose("changes could not be followed: " + failure.getMessage(), failure);
        }
    }

    private final class Collector implements ChangeMessages.Sink {
        @Override
        public void row(ChangedRow row, int transaction) {
            synchronized (ChangedRows.this) {
                if (lost == null) {
                    changes.put(row, new Change(row, ++versions, transaction));
                    if (changes.size() > MOST) {
                        lose("more than " + MOST + " rows changed", null);
                    }
                }
            }
        }

        @Override
        public void rowWithoutKey(String table) {
            synchronized (ChangedRows.this) {
                tablesWithoutKey.add(table);
            }
        }

        @Override
        public void committed(long end) {
            synchronized (ChangedRows.this) {
                seen = end;
                ChangedRows.this.notifyAll();
            }
        }
    }

    private synchronized void lose(String reason, @Nullable Exception cause) {
        changes.clear();
        if (lost == null && !closed) {
            lost = reason;
            LOG.warn("changes of rows are not known; whole tables are compared instead: {}", reason, cause);
        }
        notifyAll();
    }

    /** Returns why the changes are not known, null when they are. */
    public synchronized @Nullable String lost() {
        return lost;
    }

    /**
     * Waits until everything before a position of the log is known.
     *
     * @param position a position that a commit follows, such as {@code 0/16B3748}
     * @return false when it took longer than the limit, or the changes are {@link #lost}
     * @throws InterruptedException when the thread is interrupted
     */
    public synchronized boolean await(String position, Duration limit) throws InterruptedException {
        long asked = LogSequenceNumber.valueOf(position).asLong();
        long deadline = System.nanoTime() + limit.toNanos();
        while (lost == null && Long.compareUnsigned(seen, asked) < 0) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return lost == null;
    }

    /** Returns the rows that changed and are not settled, by the full names of their tables. */
    public synchronized Map<String, List<Change>> unsettled() {
        Map<String, List<Change>> byTable = new HashMap<>();
        for (Change change : changes.values()) {
            byTable.computeIfAbsent(change.row().table(), table -> new ArrayList<>())
                    .add(change);
        }
        return byTable;
    }

    /** Returns how many rows changed and are not settled. */
    public synchronized int size() {
        return changes.size();
    }

    /** Returns the full names of tables in which rows without a key changed. */
    public synchronized Set<String> tablesWithoutKey() {
        return Set.copyOf(tablesWithoutKey);
    }

    /** Forgets a row, unless it changed again. */
    public synchronized void settle(Change change) {
        changes.remove(change.row(), change);
    }

    /** Ends the stream and its connection. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        if (connection == null) {
            return;
        }
        try {
            connection.abort(Runnable::run);
        } catch (SQLException failure) {
            LOG.debug("connection of the changes is gone", failure);
        }
    }
}
