package io.shardmap.migrate.table;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code INFORMATION_SCHEMA}. */
final class H2Inspector implements TableInspector {

    @Override
    public Optional<TableShape> inspect(Connection connection, ShardedTable table) throws SQLException {
        String schema = table.schema() == null ? connection.getSchema() : table.schema();
        List<TableShape.Column> columns = columns(connection, schema, table.name());
        if (columns.isEmpty()) {
            return Optional.empty();
        }
        ForeignKeys keys = ForeignKeys.of(connection, schema, table.name());
        return Optional.of(new TableShape(
                table,
                schema + "." + table.name(),
                columns,
                keys.keys(),
                keys.referencedBy(),
                triggers(connection, schema, table.name())));
    }

    private static List<TableShape.Column> columns(Connection connection, String schema, String table)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select COLUMN_NAME, DATA_TYPE,
                       coalesce(CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, DATETIME_PRECISION), NUMERIC_SCALE,
                       IS_NULLABLE = 'YES', IS_GENERATED = 'ALWAYS'
                from INFORMATION_SCHEMA.COLUMNS where TABLE_SCHEMA = ? and TABLE_NAME = ? order by ORDINAL_POSITION
                """)) {
            query.setString(1, schema);
            query.setString(2, table);
            List<TableShape.Column> columns = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    columns.add(new TableShape.Column(
                            row.getString(1),
                            type(row.getString(2), row.getString(3), row.getString(4)),
                            row.getBoolean(5),
                            row.getBoolean(6)));
                }
            }
            return columns;
        }
    }

    /** Integer types are written plainly; the precision of others tells them apart. */
    private static String type(String name, String precision, String scale) {
        String folded = name.toUpperCase(Locale.ROOT); // lower case in some folding modes
        return switch (folded) {
            case "SMALLINT", "INTEGER", "BIGINT", "BOOLEAN", "UUID" -> folded;
            default -> folded + "(" + precision + "," + scale + ")";
        };
    }

    private static List<String> triggers(Connection connection, String schema, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select TRIGGER_NAME from INFORMATION_SCHEMA.TRIGGERS
                where EVENT_OBJECT_SCHEMA = ? and EVENT_OBJECT_TABLE = ? order by TRIGGER_NAME
                """)) {
            query.setString(1, schema);
            query.setString(2, table);
            List<String> triggers = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    triggers.add(row.getString(1));
                }
            }
            return triggers;
        }
    }
}
