package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.forwarding.ForwardingResultSet;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a fan-out: forward only, read only. Getters go straight to the driver's result that holds the current row. Used by one
 * thread at a time.
 */
abstract class FanOutRows extends ForwardingResultSet {
    private final FanOutRun run;
    private final Runnable release;
    private final long limit;
    private long toSkip;
    private long row;
    private boolean closed;
    private @Nullable Runnable told;
    private ResultSet current = NoRow.BEFORE_FIRST;
    private @Nullable ResultSetMetaData metaData;

    FanOutRows(FanOutRun run, Runnable release, RowLimit.Bound limit) {
        this.run = run;
        this.release = release;
        this.limit = limit.limit();
        this.toSkip = limit.offset();
    }

    /** Goes to the next row of the merge and {@link #stand}s on it; false at the end. */
    abstract boolean advance() throws SQLException;

    final FanOutRun run() {
        return run;
    }

    final void stand(ResultSet rowOfServer) {
        current = rowOfServer;
    }

    /** Returns how many of a server's columns the caller sees. */
    int visibleColumns(int columns) {
        return columns;
    }

    @Override
    protected final ResultSet delegate() {
        return current;
    }

    @Override
    public final boolean next() throws SQLException {
        if (closed) {
            throw new SQLException("result must be open: it was closed", "24000");
        }
        if (current == NoRow.AFTER_LAST) {
            return false;
        }
        boolean found = false;
        boolean failed = true;
        try {
            if (run.isStopped()) {
                run.requireHealthy();
            }
            found = row < limit && skip() && advance() && isWithinLimit();
            failed = false;
        } finally {
            if (found) {
                row++;
            } else {
                current = NoRow.AFTER_LAST;
                closed = failed;
                end();
            }
        }
        return found;
    }

    private boolean isWithinLimit() throws SQLException {
        run.limit().take(this);
        return true;
    }

    private boolean skip() throws SQLException {
        while (toSkip > 0) {
            if (!advance()) {
                return false;
            }
            toSkip--;
        }
        return true;
    }

    /** Notes that a server failed while its rows were read, and goes on without it if the answer may be partial. */
    final void failed(Share share, SQLException error) throws SQLException {
        run.failed(share, error);
        run.requireHealthy();
        share.release();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            current = NoRow.CLOSED;
            end();
        }
    }

    /** Has something done once, when the rows have ended and the connections are given back. */
    final void whenEnded(Runnable listener) {
        told = listener;
    }

    private void end() {
        release.run();
        Runnable once = told;
        told = null;
        if (once != null) {
            once.run();
        }
    }

    /** Returns how many rows the caller has read. */
    final long rowsRead() {
        return row;
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    final void requireRow() throws SQLException {
        if (current == NoRow.BEFORE_FIRST || current == NoRow.AFTER_LAST || current == NoRow.CLOSED) {
            current.getObject(1);
        }
    }

    /**
     * Returns a copy of the metadata that one server gave.
     *
     * @throws SQLException when it is asked for the first time after the rows have ended
     */
    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        ResultSetMetaData known = metaData;
        if (known == null) {
            ResultSetMetaData ofServer = serverMetaData();
            known = RowMetaData.copyOf(ofServer, visibleColumns(ofServer.getColumnCount()));
            metaData = known;
        }
        return known;
    }

    private ResultSetMetaData serverMetaData() throws SQLException {
        if (run.shares().isEmpty()) {
            throw new SQLException(
                    "metadata must come from a server: none was asked, the list of keys is empty", "24000");
        }
        for (ServerRead read : run.reads()) {
            if (!read.hasEnded() && read.error() == null) {
                return read.rows().getMetaData();
            }
        }
        throw new SQLException("metadata must be asked for before the rows end", "24000");
    }

    @Override
    public final int getRow() {
        return isOnRow() ? (int) Math.min(row, Integer.MAX_VALUE) : 0;
    }

    private boolean isOnRow() {
        return row > 0 && current != NoRow.AFTER_LAST && current != NoRow.CLOSED;
    }

    @Override
    public final boolean isBeforeFirst() {
        return current == NoRow.BEFORE_FIRST;
    }

    @Override
    public final boolean isAfterLast() {
        return current == NoRow.AFTER_LAST && row > 0;
    }

    @Override
    public final boolean isFirst() {
        return row == 1 && isOnRow();
    }

    @Override
    public final boolean isLast() throws SQLException {
        throw SqlErrors.notSupported("rows of a fan-out are forward only: isLast; call next()");
    }

    @Override
    public final int getType() {
        return TYPE_FORWARD_ONLY;
    }

    @Override
    public final int getConcurrency() {
        return CONCUR_READ_ONLY;
    }

    @Override
    public final int getHoldability() {
        return HOLD_CURSORS_OVER_COMMIT;
    }

    @Override
    public final int getFetchDirection() {
        return FETCH_FORWARD;
    }

    /** Returns null: the rows come from several statements. */
    @Override
    @SuppressWarnings("NullAway")
    public final Statement getStatement() {
        return null;
    }

    /** Returns null: warnings of servers are not collected. */
    @Override
    @SuppressWarnings("NullAway")
    public final SQLWarning getWarnings() {
        return null;
    }

    @Override
    public final void clearWarnings() {}

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw SqlErrors.notSupported("rows of a fan-out wrap no single result: type=" + type.getName());
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
