package io.shardmap.jdbc.fanout;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What became of an update on one server.
 *
 * @param server name of the server
 * @param state whether its rows are changed
 * @param rows how many rows are changed; 0 when none is, or nobody knows
 * @param error why they are not, or why it is not known; null when there is no such error
 */
public record ServerUpdate(
        String server, State state, long rows, @Nullable SQLException error) {
    /** Whether the rows of a server are changed. */
    public enum State {
        /** They are, and committed. */
        DONE,
        /** They are not: the server refused. */
        FAILED,
        /** The connection broke while the server committed: they are changed, or none is. */
        UNKNOWN,
        /** They are not: the update was not tried there, or taken back because of another server. */
        NOT_DONE
    }

    /** Returns the same for people. */
    @Override
    public String toString() {
        return server + ": "
                + switch (state) {
                    case DONE -> "done, rows=" + rows;
                    case FAILED -> "failed, error=" + (error == null ? "" : error.getMessage());
                    case UNKNOWN -> "unknown, error=" + (error == null ? "" : error.getMessage());
                    case NOT_DONE -> "not done";
                };
    }
}
