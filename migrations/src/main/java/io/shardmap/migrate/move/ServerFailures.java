package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;

/** Tells a server that does not answer from a statement that it refuses. */
final class ServerFailures {
    private ServerFailures() {}

    static ShardMapException of(String server, String step, SQLException failure) {
        if (isConnection(failure)) {
            return new ShardMapException(
                    ErrorCode.SERVER_UNAVAILABLE,
                    "server must answer: server=" + server + ", step=" + step + ", error=" + failure.getMessage()
                            + "; start it again and resume the move",
                    failure);
        }
        return new ShardMapException(
                ErrorCode.STEP_FAILED,
                "server must accept the statements of a move: server=" + server + ", step=" + step + ", sqlState="
                        + failure.getSQLState() + ", error=" + failure.getMessage(),
                failure);
    }

    /** Returns whether a statement only waited too long for a lock, so that it can be tried again. */
    static boolean isLockTimeout(ShardMapException failure) {
        return failure.getCause() instanceof SQLException cause
                && ("55P03".equals(cause.getSQLState())
                        || "HYT00".equals(cause.getSQLState())
                        || "40001".equals(cause.getSQLState())
                        || "40P01".equals(cause.getSQLState()));
    }

    /** Returns whether the server did not answer, or the session is gone. */
    static boolean isConnection(SQLException failure) {
        String state = failure.getSQLState();
        return failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLRecoverableException
                || (state != null && (state.startsWith("08") || state.startsWith("57P") || state.startsWith("90")))
                || (state == null && failure.getCause() instanceof java.io.IOException);
    }
}
