package io.shardmap.jdbc.fanout;

import java.sql.ResultSet;
import java.util.List;

/**
 * The answer to a query over all servers of a map. Close it: until its last row is read, it holds one connection and one shared lock per
 * server. Used by one thread at a time; {@link #close} cancels what still runs.
 */
public final class FanOutResult implements AutoCloseable {
    private final FanOutPlan plan;
    private final FanOutRun run;
    private final FanOutRows rows;

    FanOutResult(FanOutPlan plan, FanOutRun run, FanOutRows rows) {
        this.plan = plan;
        this.run = run;
        this.rows = rows;
    }

    /** Has the end of the query told to a listener. */
    FanOutResult tellingEnd(FanOutListener listener, String map, long startedAt) {
        rows.whenEnded(
                () -> listener.ended(map, run.outcome(), System.nanoTime() - startedAt, rows.rowsRead(), outcomes()));
        return this;
    }

    /**
     * Returns the rows: forward only and read only, with the columns, labels and Java types of one server's own result. The same object at
     * each call; closing it closes this result. When a server fails while its rows are read, {@code next()} throws, or, if the answer may
     * be partial, goes on without the rest of that server's rows and {@link #outcomes()} has the error. After the deadline
     * {@code next()} throws {@link java.sql.SQLTimeoutException}. Ask for metadata before the last row is read.
     */
    public ResultSet resultSet() {
        return rows;
    }

    /**
     * Returns how far each server is, by name. Complete when all rows are read; look at it then if the answer may be partial.
     */
    public List<ServerOutcome> outcomes() {
        return run.shares().stream().map(Share::outcome).toList();
    }

    /** Returns the plan that runs. */
    public FanOutPlan plan() {
        return plan;
    }

    /** Ends the transactions on all servers, whatever was read, and gives the connections back. Repeating it changes nothing. */
    @Override
    public void close() {
        rows.close();
    }
}
