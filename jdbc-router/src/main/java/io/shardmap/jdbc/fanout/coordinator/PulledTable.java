package io.shardmap.jdbc.fanout.coordinator;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows are collected on the coordinator, in a temporary table of the same name.
 *
 * @param shape the table on the coordinator's own server
 * @param columns the columns that are collected
 * @param condition a condition that only needed rows meet
 */
public record PulledTable(TableShape shape, List<TableShape.Column> columns, Condition condition) {

    /** Returns the temporary table's quoted name. */
    private String temporary() {
        return "pg_temp." + ShardedTable.quote(shape.table().name());
    }

    /**
     * Creates the temporary table: the types and collations of the real one, gone when the transaction ends. Columns that are not collected
     * may be NULL in it.
     */
    public void create(Connection coordinator) throws SQLException {
        String name = ShardedTable.quote(shape.table().name());
        String optional = shape.columns().stream()
                .filter(column -> column.notNull() && !columns.contains(column))
                .map(column -> "ALTER COLUMN " + column.sql() + " DROP NOT NULL")
                .collect(Collectors.joining(", "));
        try (Statement statement = coordinator.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE " + name + " (LIKE " + shape.sql() + ") ON COMMIT DROP"
                    + (optional.isEmpty() ? "" : "; ALTER TABLE " + temporary() + " " + optional));
        }
    }

    /**
     * Returns the query for the rows of one server. Binds the values of the condition on its connection.
     *
     * @param there the table on that server
     * @param copies virtual shards whose rows may be there although the server does not own them
     */
    public String rows(Connection connection, TableShape there, Collection<Integer> copies) throws SQLException {
        String where = condition.bind(connection);
        StringBuilder sql = new StringBuilder("SELECT ")
                .append(TableShape.list(columns))
                .append(" FROM ")
                .append(there.sql());
        if (where != null) {
            sql.append(" WHERE (").append(where).append(')');
        }
        if (!copies.isEmpty()) {
            sql.append(where == null ? " WHERE " : " AND ")
                    .append(shape.table().columnSql())
                    .append(" NOT IN (")
                    .append(copies.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")))
                    .append(')');
        }
        return sql.toString();
    }

    /** Returns the statement that sends the rows of a query to the client. */
    public static String copyOut(String rows) {
        return "COPY (" + rows + ") TO STDOUT";
    }

    /** Returns the statement that takes rows from the client. */
    public String copyIn() {
        return "COPY " + temporary() + " (" + TableShape.list(columns) + ") FROM STDIN";
    }

    /** Returns the statement that takes the rows of a query of the coordinator's own server, at most so many. */
    public String insert(String rows, long most) {
        return "INSERT INTO " + temporary() + " (" + TableShape.list(columns) + ") " + rows + " LIMIT " + most;
    }

    /** Returns the statement that counts the table's bytes. */
    public String size() {
        return "SELECT pg_catalog.pg_table_size('" + temporary().replace("'", "''") + "')";
    }

    /** Returns the statement that tells the coordinator's planner about the rows. */
    public String analyze() {
        return "ANALYZE " + temporary();
    }

    /** Returns whether the text of a value depends on the locale. */
    public boolean hasMoney() {
        return columns.stream().anyMatch(column -> column.type().startsWith("money"));
    }

    /** Returns how the collected columns differ from those of a server; null when they do not. */
    public @Nullable String difference(TableShape there) {
        String difference = there.difference(columns);
        return difference.isEmpty() ? null : difference;
    }
}
