package io.shardmap.jdbc.routed;

import io.shardmap.jdbc.forwarding.ForwardingResultSet;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A result whose statement is the routed one, so that nobody reaches the physical connection by way of it. */
final class RoutedResultSet extends ForwardingResultSet {
    private final ResultSet rows;
    private final Statement statement;

    RoutedResultSet(ResultSet rows, Statement statement) {
        this.rows = rows;
        this.statement = statement;
    }

    @Override
    protected ResultSet delegate() {
        return rows;
    }

    @Override
    public Statement getStatement() {
        return statement;
    }

    @Override
    public void close() throws SQLException {
        rows.close();
        if (statement.isCloseOnCompletion()) {
            statement.close();
        }
    }
}
