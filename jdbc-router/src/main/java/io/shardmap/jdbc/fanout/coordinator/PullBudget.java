package io.shardmap.jdbc.fanout.coordinator;

import java.sql.SQLException;
import java.sql.SQLNonTransientException;

/** How much a coordinator may still collect for one query. Used by one thread. */
public final class PullBudget {
    private final long maxRows;
    private final long maxBytes;
    private long rows;
    private long bytes;

    /** Creates it with limits per query. */
    public PullBudget(long maxRows, long maxBytes) {
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
    }

    /** Returns how many more rows may come. */
    public long rowsLeft() {
        return maxRows - rows;
    }

    /** Counts rows; 54000 when they are too many. */
    public void take(long moreRows, long moreBytes) throws SQLException {
        rows += moreRows;
        bytes += moreBytes;
        if (rows > maxRows) {
            throw refused("rows", maxRows, rows);
        }
        if (bytes > maxBytes) {
            throw refused("bytes", maxBytes, bytes);
        }
    }

    private static SQLException refused(String what, long limit, long seen) {
        return new SQLNonTransientException(
                "query must need no more " + what + " on its coordinator than the limit: limit=" + limit + ", seen="
                        + seen + " or more; narrow it by a WHERE on each table, or raise the limit with "
                        + "FanOut.pullLimit(rows, bytes)",
                "54000");
    }
}
