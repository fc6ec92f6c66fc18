package io.shardmap.migrate.table;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

/** The tables at the other ends of a table's foreign keys, by the driver's metadata. */
record ForeignKeys(Set<String> references, Set<String> referencedBy) {

    static ForeignKeys of(Connection connection, String schema, String table) throws SQLException {
        Set<String> references = new TreeSet<>();
        try (ResultSet keys = connection.getMetaData().getImportedKeys(null, schema, table)) {
            while (keys.next()) {
                references.add(keys.getString("PKTABLE_SCHEM") + "." + keys.getString("PKTABLE_NAME"));
            }
        }
        Set<String> referencedBy = new TreeSet<>();
        try (ResultSet keys = connection.getMetaData().getExportedKeys(null, schema, table)) {
            while (keys.next()) {
                referencedBy.add(keys.getString("FKTABLE_SCHEM") + "." + keys.getString("FKTABLE_NAME"));
            }
        }
        return new ForeignKeys(references, referencedBy);
    }
}
