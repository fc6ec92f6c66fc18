package io.shardmap.jdbc.fanout.datasource;

import io.shardmap.jdbc.forwarding.ForwardingResultSet;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Rows of a statement, no more than it wants. */
final class StatementRows extends ForwardingResultSet {
    private final ResultSet rows;
    private final @Nullable Statement statement;
    private final long maxRows;
    private long given;

    StatementRows(ResultSet rows, @Nullable Statement statement, long maxRows) {
        this.rows = rows;
        this.statement = statement;
        this.maxRows = maxRows;
    }

    @Override
    protected ResultSet delegate() {
        return rows;
    }

    /** Ends where the statement wants no more rows, as JDBC says, without an error. */
    @Override
    public boolean next() throws SQLException {
        if (maxRows > 0 && given >= maxRows) {
            rows.close();
            return false;
        }
        boolean found = rows.next();
        given += found ? 1 : 0;
        return found;
    }

    @Override
    @SuppressWarnings("NullAway") // JDBC has no annotations; it is there from the first query on
    public Statement getStatement() {
        return statement;
    }
}
