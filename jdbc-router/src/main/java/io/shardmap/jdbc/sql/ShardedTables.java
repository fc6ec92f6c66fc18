package io.shardmap.jdbc.sql;

import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the sharded tables that a query names. */
public final class ShardedTables {
    private ShardedTables() {}

    /**
     * Returns the table that a query names.
     *
     * @param schema the schema as written, or null
     * @param name the name as written
     * @throws UnsupportedConstruct when the map splits no such table, or several
     */
    public static ShardedTable find(ShardMap map, @Nullable SqlToken schema, SqlToken name) {
        List<ShardedTable> found = map.tables().stream()
                .filter(table -> names(name, table.name()))
                .filter(table -> schema == null || table.schema() == null || names(schema, table.schema()))
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        String written = (schema == null ? "" : schema.text() + ".") + name.text();
        throw found.isEmpty()
                ? new UnsupportedConstruct(
                        "table " + written + " that map " + map.name() + " does not split",
                        "register it with `shardmap table add --map " + map.name() + "`; tables of the map: "
                                + map.tables().stream()
                                        .map(ShardedTable::qualifiedName)
                                        .toList())
                : new UnsupportedConstruct("table " + written + " of several schemas", "qualify it with its schema");
    }

    /** Returns whether an identifier as written can mean a stored name: a quoted one exactly, another one whatever its case. */
    public static boolean names(SqlToken written, String stored) {
        return written.kind() == Kind.QUOTED
                ? written.text().equals(ShardedTable.quote(stored))
                : written.text().equalsIgnoreCase(stored);
    }
}
