package io.shardmap.jdbc.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The batches in which a driver's cursor gives its rows. The driver fetches the next batch when its reader asks for the row after the
 * last one; here that can happen in the background, while the reader reads another server's rows. So one batch is in memory, and none is
 * fetched before the last one is read.
 *
 * <p>Used by one thread at a time; what runs in the background is waited for before anything else is done.
 */
final class Batches {
    private static final long PATIENCE_MILLIS = 5;

    private final ResultSet rows;
    private final int size;
    private int read;
    private volatile boolean closed;
    private @Nullable FutureTask<Boolean> next;

    /**
     * Creates it over a result before its first row.
     *
     * @param size rows per batch
     */
    Batches(ResultSet rows, int size) {
        this.rows = rows;
        this.size = size;
    }

    /** Moves to the next row, whichever batch it is in; false at the end. */
    boolean next() throws SQLException {
        FutureTask<Boolean> begun = next;
        next = null;
        boolean found = begun == null ? fetch() : finish(begun);
        read = read == size ? 1 : read + 1;
        return found;
    }

    /** Returns whether the current row is the last one of its batch, and the next batch is not on its way. */
    boolean isRead() {
        return read == size && next == null;
    }

    /** Leaves the current row, which must be the last of its batch, and starts to fetch the next batch. */
    void prefetch(Executor executor) {
        FutureTask<Boolean> task = new FutureTask<>(this::fetch);
        next = task;
        try {
            executor.execute(task);
        } catch (RejectedExecutionException busy) {
            // It is fetched when the reader arrives there.
        }
    }

    private boolean fetch() throws SQLException {
        return !closed && rows.next();
    }

    /** Waits without end: whoever cancels or cuts the connection ends the fetch. */
    private static boolean finish(FutureTask<Boolean> task) throws SQLException {
        task.run(); // here, unless it has begun elsewhere
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (ExecutionException failure) {
                    if (failure.getCause() instanceof SQLException error) {
                        throw error;
                    }
                    throw new SQLException("next rows must be fetched", "XX000", failure.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends what runs in the background, and returns when it has ended: by itself when it takes only a moment, else cancelled. Cancelling is
     * repeated, because it does nothing before the fetch has been sent.
     */
    void stop(Runnable cancel) {
        closed = true;
        FutureTask<Boolean> task = next;
        if (task == null) {
            return;
        }
        next = null;
        task.run(); // does nothing now, unless it has begun elsewhere
        boolean interrupted = false;
        while (!task.isDone()) {
            try {
                task.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException slow) {
                cancel.run();
            } catch (InterruptedException later) {
                interrupted = true;
            } catch (ExecutionException | CancellationException ended) {
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
