package io.shardmap.migrate.table;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A table's foreign keys, and the tables whose foreign keys point to it, by the driver's metadata. */
record ForeignKeys(List<TableShape.ForeignKey> keys, Set<String> referencedBy) {

    static ForeignKeys of(Connection connection, String schema, String table) throws SQLException {
        Map<String, TableShape.ForeignKey> found = new LinkedHashMap<>();
        try (ResultSet keys = connection.getMetaData().getImportedKeys(null, schema, table)) {
            while (keys.next()) {
                String references = keys.getString("PKTABLE_SCHEM") + "." + keys.getString("PKTABLE_NAME");
                String name = keys.getString("FK_NAME");
                List<String> pairs = new ArrayList<>();
                TableShape.ForeignKey before = found.get(name + " " + references);
                if (before != null) {
                    pairs.addAll(before.pairs());
                }
                pairs.add(TableShape.ForeignKey.pair(keys.getString("FKCOLUMN_NAME"), keys.getString("PKCOLUMN_NAME")));
                found.put(name + " " + references, new TableShape.ForeignKey(name, references, pairs));
            }
        }
        Set<String> referencedBy = new TreeSet<>();
        try (ResultSet keys = connection.getMetaData().getExportedKeys(null, schema, table)) {
            while (keys.next()) {
                referencedBy.add(keys.getString("FKTABLE_SCHEM") + "." + keys.getString("FKTABLE_NAME"));
            }
        }
        return new ForeignKeys(List.copyOf(found.values()), referencedBy);
    }
}
