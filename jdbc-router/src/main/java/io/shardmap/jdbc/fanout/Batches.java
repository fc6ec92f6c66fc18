package io.shardmap.jdbc.fanout;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * The rows of one PostgreSQL server, fetched in batches from an SQL cursor: while the caller reads one batch, the next one is fetched in
 * the background. So two batches are in memory at most, and nothing is fetched before the last fetched one is taken.
 *
 * <p>The driver's own cursors cannot do that: they put the next rows into the result that is being read. Here each batch is a result of
 * its own. The statements are never prepared on the server: the driver would take the columns of an earlier cursor of the same name for
 * those of this one.
 *
 * <p>Used by one thread at a time; what runs in the background is waited for before anything else is done.
 */
final class Batches {
    private static final String CURSOR = "shardmap_rows";
    private static final long PATIENCE_MILLIS = 5;

    private final Connection connection;
    private final int size;
    private final Consumer<Statement> running;
    private final Statement[] statements = new Statement[2];
    private int fetches;
    private boolean more;
    private volatile boolean closed;
    private @Nullable FutureTask<ResultSet> next;

    /**
     * Creates it over a cursor that {@link #open} has opened.
     *
     * @param size rows per batch
     * @param running is told which statement is about to run, for whoever cancels
     */
    Batches(Connection connection, int size, Consumer<Statement> running) {
        this.connection = connection;
        this.size = size;
        this.running = running;
    }

    /** Returns the statements that open the cursor and fetch the first batch; two results. */
    static String open(String query, int size) {
        return "DECLARE " + CURSOR + " NO SCROLL CURSOR FOR " + query + ";" + fetch(size);
    }

    /** Returns the statement that closes the cursor, so that it can be opened for another query. */
    static String close() {
        return "CLOSE " + CURSOR;
    }

    private static String fetch(int size) {
        return "FETCH FORWARD " + size + " FROM " + CURSOR;
    }

    /** Prepares statements that contain a fetch. */
    static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement prepared =
                connection.prepareStatement(sql, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        prepared.unwrap(PGStatement.class).setPrepareThreshold(0);
        return prepared;
    }

    /** Takes a batch as the current one: a full one may have a successor. */
    ResultSet take(ResultSet batch) throws SQLException {
        more = batch.last() && batch.getRow() == size;
        batch.beforeFirst();
        return batch;
    }

    /** Returns whether there may be a batch after the current one. */
    boolean mayHaveMore() {
        return more;
    }

    /** Starts to fetch the batch after the current one, if there may be one. */
    void prefetch(Executor executor) {
        if (!more || next != null) {
            return;
        }
        FutureTask<ResultSet> task = new FutureTask<>(this::fetchNext);
        next = task;
        try {
            executor.execute(task);
        } catch (RejectedExecutionException busy) {
            // It is fetched when the caller arrives there.
        }
    }

    private @Nullable ResultSet fetchNext() throws SQLException {
        if (closed) {
            return null;
        }
        int turn = fetches++ % statements.length;
        Statement statement = statements[turn];
        if (statement == null) {
            statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            statements[turn] = statement;
        }
        running.accept(statement);
        return statement.executeQuery(fetch(size));
    }

    /** Returns the next batch, null at the end. The one before the current one is gone. */
    @Nullable
    ResultSet next() throws SQLException {
        if (!more) {
            return null;
        }
        FutureTask<ResultSet> task = next;
        next = null;
        if (task == null) {
            return take(fetchNow());
        }
        task.run(); // here, unless it has begun elsewhere
        return take(await(task));
    }

    private ResultSet fetchNow() throws SQLException {
        ResultSet fetched = fetchNext();
        if (fetched == null) {
            throw new SQLException("result must be open: it was closed", "24000");
        }
        return fetched;
    }

    /** Waits without end: whoever cancels or cuts the connection ends the fetch. */
    private static ResultSet await(FutureTask<ResultSet> task) throws SQLException {
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
     * repeated, because it does nothing before the statement has been sent.
     */
    void stop(Runnable cancel) {
        closed = true;
        FutureTask<ResultSet> task = next;
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
