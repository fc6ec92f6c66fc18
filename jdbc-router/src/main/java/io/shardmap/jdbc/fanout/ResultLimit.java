package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.fanout.FanOutSettings.Amount;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;

/** Counts what a query has returned. Used by one thread. */
final class ResultLimit {
    private final Amount most;
    private long rows;
    private long bytes;

    ResultLimit(Amount most) {
        this.most = most;
    }

    /** Counts the current row of a result; 54000 when it is one too many. */
    void take(ResultSet result) throws SQLException {
        rows++;
        if (rows > most.rows()) {
            throw refused("rows", most.rows(), rows);
        }
        if (most.bytes() != Long.MAX_VALUE) {
            int columns = result.getMetaData().getColumnCount();
            for (int column = 1; column <= columns; column++) {
                String value = result.getString(column);
                bytes += value == null ? 0 : bytes(value);
            }
            if (bytes > most.bytes()) {
                throw refused("bytes", most.bytes(), bytes);
            }
        }
    }

    /** Returns the length in UTF-8, in which each half of a surrogate pair counts for two of its four bytes. */
    private static long bytes(String value) {
        long count = value.length();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > 0x7f) {
                count += c <= 0x7ff || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return count;
    }

    private static SQLException refused(String what, long limit, long seen) {
        return new SQLNonTransientException(
                "query must return no more " + what + " than its limit: limit=" + limit + ", seen=" + seen
                        + " or more; narrow it by WHERE or LIMIT, or raise the limit with"
                        + " FanOut.resultLimit(rows, bytes)",
                "54000");
    }
}
