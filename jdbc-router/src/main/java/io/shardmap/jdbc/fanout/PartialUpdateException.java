package io.shardmap.jdbc.fanout;

import java.sql.SQLException;

/**
 * An update is committed on some servers and not on others, or it is not known whether it is: a server failed while the servers committed,
 * one after the other. {@link #report()} says which.
 */
public final class PartialUpdateException extends SQLException {
    private static final long serialVersionUID = 1L;

    private final transient UpdateReport report;

    PartialUpdateException(UpdateReport report, SQLException cause) {
        super(
                "update must be done on all servers: " + report
                        + "; repeat it if it can run twice, else only for the rows that are not changed yet",
                cause.getSQLState(),
                cause.getErrorCode(),
                cause);
        this.report = report;
    }

    /** Returns what became of it on each server. */
    public UpdateReport report() {
        return report;
    }
}
