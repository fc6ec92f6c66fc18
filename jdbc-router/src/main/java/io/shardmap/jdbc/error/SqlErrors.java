package io.shardmap.jdbc.error;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/**
 * Turns refusals into JDBC exceptions with standard SQLSTATEs. The cause of each is the {@link ShardMapException} with its stable code.
 */
public final class SqlErrors {
    private SqlErrors() {}

    /** Returns the JDBC exception for a refusal of the model, the store or the router. */
    public static SQLException of(ShardMapException refusal) {
        String message = refusal.getMessage();
        return switch (refusal.code()) {
            case UNMAPPED_KEY, UNKNOWN_MAP, UNKNOWN_SERVER, UNSUPPORTED_MAP ->
                new SQLNonTransientConnectionException(message, "08001", refusal);
            case INVALID_KEY, INVALID_DEFINITION -> new SQLNonTransientException(message, "22023", refusal);
            case NOT_SUPPORTED -> caused(new SQLFeatureNotSupportedException(message, "0A000"), refusal);
            case CONCURRENT_CHANGE, STORE_UNAVAILABLE, SHARD_MOVING, SERVER_UNAVAILABLE ->
                new SQLTransientConnectionException(message, "08006", refusal);
            case DEADLINE_EXCEEDED -> new SQLTimeoutException(message, "57014", refusal);
            case PREFLIGHT, VERIFICATION, STEP_FAILED -> new SQLNonTransientException(message, "55000", refusal);
            case INTERNAL -> new SQLNonTransientException(message, "XX000", refusal);
        };
    }

    /** Returns the refusal of a statement or call that cannot be executed correctly. */
    public static SQLException notSupported(String message) {
        return of(new ShardMapException(ErrorCode.NOT_SUPPORTED, message));
    }

    /** Returns the failure of a virtual shard that did not open again in time. */
    public static SQLException moving(Route route, Duration waited, SQLException lastRefusal) {
        return of(new ShardMapException(
                ErrorCode.SHARD_MOVING,
                "virtual shard must be open on its server: map=" + route.map() + ", virtualShard="
                        + route.virtualShard()
                        + ", server=" + route.server().name() + ", epoch=" + route.epoch() + ", waitedMillis="
                        + waited.toMillis()
                        + "; it is changing server: try again, and see `shardmap move status` if this lasts",
                lastRefusal));
    }

    /** Returns the failure to reach a server. */
    public static SQLException unavailable(Route route, SQLException cause) {
        return of(new ShardMapException(
                ErrorCode.SERVER_UNAVAILABLE,
                "server must answer: server=" + route.server().name() + ", map=" + route.map() + ", virtualShard="
                        + route.virtualShard() + ", error=" + reason(cause),
                cause));
    }

    /** The pool says only that time is over; why is at the end of its causes. */
    private static String reason(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null && last.getCause() != last) {
            last = last.getCause();
        }
        return last == failure
                ? String.valueOf(failure.getMessage())
                : failure.getMessage() + ", reason=" + last.getMessage();
    }

    private static SQLException caused(SQLException exception, Throwable cause) {
        exception.initCause(cause);
        return exception;
    }
}
