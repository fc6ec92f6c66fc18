package io.shardmap.jdbc.fanout.coordinator;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A sharded table as one server has it.
 *
 * @param table the table as the map names it
 * @param schema the schema it was found in
 * @param columns its columns in order
 */
public record TableShape(ShardedTable table, String schema, List<Column> columns) {
    private static final String COLUMNS =
            "select n.nspname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),"
                    + " coalesce(l.collname, ''), a.attnotnull, t.typnotnull"
                    + " from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
                    + " join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
                    + " join pg_catalog.pg_type t on t.oid = a.atttypid"
                    + " left join pg_catalog.pg_collation l on l.oid = a.attcollation"
                    + " where c.oid = pg_catalog.to_regclass(?::text) order by a.attnum";

    /**
     * A column.
     *
     * @param name its name as stored
     * @param type its type with its modifiers, as the server writes it
     * @param collation name of its collation, or empty
     * @param notNull whether it is NOT NULL
     * @param typeNotNull whether its type, a domain, does not allow NULL
     */
    public record Column(String name, String type, String collation, boolean notNull, boolean typeNotNull) {
        String sql() {
            return ShardedTable.quote(name);
        }
    }

    /** Reads the shape; 42P01 when there is no such table. */
    public static TableShape read(Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                String schema = "";
                List<Column> columns = new ArrayList<>();
                while (row.next()) {
                    schema = row.getString(1);
                    columns.add(new Column(
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getBoolean(5),
                            row.getBoolean(6)));
                }
                if (columns.isEmpty()) {
                    throw new SQLException(
                            "sharded table must exist on every server: table=" + table.qualifiedName(), "42P01");
                }
                return new TableShape(table, schema, List.copyOf(columns));
            }
        }
    }

    /**
     * Returns the columns to collect: those named, those that cannot be NULL because of their type, and at least one.
     *
     * @param names names that a query mentions; empty for all columns
     */
    public List<Column> needed(List<String> names) {
        if (names.isEmpty()) {
            return columns;
        }
        List<Column> needed = columns.stream()
                .filter(column -> names.contains(column.name()) || column.typeNotNull())
                .toList();
        return needed.isEmpty()
                ? columns.stream()
                        .filter(column -> column.name().equals(table.shardColumn()))
                        .toList()
                : needed;
    }

    /** Returns the quoted name with its schema. */
    String sql() {
        return ShardedTable.quote(schema) + "." + ShardedTable.quote(table.name());
    }

    static String list(List<Column> columns) {
        return columns.stream().map(Column::sql).collect(Collectors.joining(", "));
    }

    /** Returns how columns differ from those of the same names here; empty when they do not. */
    public String difference(List<Column> others) {
        for (Column other : others) {
            Column own = columns.stream()
                    .filter(column -> column.name().equals(other.name()))
                    .findFirst()
                    .orElse(null);
            String column = "column " + other.name() + " of table " + table.qualifiedName();
            if (own == null) {
                return column + " is on one of them only";
            }
            if (!own.type().equals(other.type()) || !own.collation().equals(other.collation())) {
                return column + " is " + described(other) + " and " + described(own);
            }
        }
        return "";
    }

    private static String described(Column column) {
        return column.type() + (column.collation().isEmpty() ? "" : " collation " + column.collation());
    }
}
