package io.shardmap.migrate.table;

import io.shardmap.ReferenceTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What must be equal in all copies of a reference table, by the driver's metadata.
 *
 * @param columns its columns in their order, with type, size and whether they may be null, as text
 * @param primaryKey names of the columns of the primary key in its order; empty without one
 */
public record CopyShape(List<String> columns, List<String> primaryKey) {
    /** Copies the lists. */
    public CopyShape {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
    }

    /** Returns the shape of one server's copy; empty when the server has no table of this name. */
    public static Optional<CopyShape> of(Connection connection, ReferenceTable table) throws SQLException {
        String schema = table.schema() == null ? connection.getSchema() : table.schema();
        DatabaseMetaData metaData = connection.getMetaData();
        List<String> columns = new ArrayList<>();
        String escape = metaData.getSearchStringEscape();
        try (ResultSet row =
                metaData.getColumns(null, literally(schema, escape), literally(table.name(), escape), null)) {
            while (row.next()) {
                columns.add(row.getString("COLUMN_NAME") + " " + row.getString("TYPE_NAME") + "("
                        + row.getInt("COLUMN_SIZE") + "," + row.getInt("DECIMAL_DIGITS") + ")"
                        + (row.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls ? " not null" : ""));
            }
        }
        TreeMap<Integer, String> key = new TreeMap<>();
        try (ResultSet row = metaData.getPrimaryKeys(null, schema, table.name())) {
            while (row.next()) {
                key.put(row.getInt("KEY_SEQ"), row.getString("COLUMN_NAME"));
            }
        }
        return columns.isEmpty() ? Optional.empty() : Optional.of(new CopyShape(columns, List.copyOf(key.values())));
    }

    /** The metadata takes a pattern, in which an underscore would match any letter. */
    private static String literally(String name, String escape) {
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }
}
