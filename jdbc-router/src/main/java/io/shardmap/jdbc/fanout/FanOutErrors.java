package io.shardmap.jdbc.fanout;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.Collection;

/** What can go wrong in a fan-out, as JDBC exceptions. */
final class FanOutErrors {
    private FanOutErrors() {}

    /** Returns the error of one server with the server's name in front, SQLSTATE and error code kept. */
    static SQLException onServer(String server, SQLException error) {
        String message = "server " + server + ": " + error.getMessage();
        String state = error.getSQLState() == null ? "" : error.getSQLState();
        int code = error.getErrorCode();
        if (state.startsWith("08") || state.startsWith("57P")) {
            return new SQLTransientConnectionException(message, state, code, error);
        }
        if (state.equals("57014")) {
            return new SQLTimeoutException(message, state, code, error);
        }
        if (error instanceof SQLFeatureNotSupportedException) {
            SQLException refused = new SQLFeatureNotSupportedException(message, state, code);
            refused.initCause(error);
            return refused;
        }
        if (state.startsWith("22")) {
            return new SQLDataException(message, state, code, error);
        }
        if (state.startsWith("40")) {
            return new SQLTransactionRollbackException(message, state, code, error);
        }
        if (state.startsWith("42")) {
            return new SQLSyntaxErrorException(message, state, code, error);
        }
        return new SQLException(message, state.isEmpty() ? null : state, code, error);
    }

    static SQLException unavailable(String server, String map, Exception cause) {
        return SqlErrors.of(new ShardMapException(
                ErrorCode.SERVER_UNAVAILABLE,
                "server must answer: server=" + server + ", map=" + map + ", error=" + cause.getMessage(),
                cause));
    }

    static SQLException deadline(Deadline deadline, String map, Collection<String> outstanding) {
        return SqlErrors.of(new ShardMapException(
                ErrorCode.DEADLINE_EXCEEDED,
                "fan-out must end within its deadline: map=" + map + ", deadlineMillis="
                        + deadline.allowed().toMillis() + ", outstanding=" + outstanding
                        + "; ask for less, or set a longer deadline"));
    }

    static SQLException interrupted(String map) {
        return new SQLTimeoutException("fan-out was interrupted: map=" + map, "57014");
    }

    static SQLException moving(String map, Coverage coverage, Deadline deadline) {
        return SqlErrors.of(new ShardMapException(
                ErrorCode.SHARD_MOVING,
                "servers must own every virtual shard exactly once: map=" + map + ", " + coverage.describe()
                        + ", waitedMillis=" + deadline.allowed().toMillis()
                        + "; they are changing server: try again, and see `shardmap move status` if this lasts"));
    }

    static SQLException unassigned(String map, Coverage coverage) {
        return SqlErrors.of(new ShardMapException(
                ErrorCode.UNMAPPED_KEY,
                "every virtual shard must be on a server before a fan-out: map=" + map + ", " + coverage.describe()
                        + "; run `shardmap shard assign --map " + map + "`"));
    }

    static SQLException differentColumns(String first, String second, String difference) {
        return new SQLException(
                "servers must return the same columns: " + first + " and " + second + " differ, " + difference
                        + "; bring the table to one schema on all servers",
                "42804");
    }

    static SQLException unsorted(String server, Object key) {
        return SqlErrors.of(new ShardMapException(
                ErrorCode.INTERNAL,
                "rows of a server must come in the order of the merge: server=" + server + ", key=" + key
                        + "; its collation or type changed, or this is a defect: please report it"));
    }
}
