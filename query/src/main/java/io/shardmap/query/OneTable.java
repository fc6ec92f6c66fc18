package io.shardmap.query;

import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.sql.ShardedTables;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;

/**
 * The one table of a FROM clause.
 *
 * @param table the sharded table
 * @param qualifier its name or its alias as written, to qualify columns with
 */
record OneTable(ShardedTable table, String qualifier) {

    static OneTable of(List<SqlToken> from, ShardMap map) {
        int at = 0;
        int size = from.size();
        SqlToken schema = null;
        SqlToken name = size > 0 ? from.get(at++) : null;
        if (name != null && size > 2 && from.get(1).isSymbol('.')) {
            schema = name;
            name = from.get(2);
            at = 3;
        }
        if (name == null || !name.isName()) {
            throw unsupported();
        }
        SqlToken qualifier = name;
        if (at < size && from.get(at).is("AS")) {
            at++;
        }
        if (at < size && from.get(at).isName()) {
            qualifier = from.get(at++);
        }
        if (at < size || from.get(size - 1).is("AS")) {
            throw unsupported();
        }
        return new OneTable(ShardedTables.find(map, schema, name), qualifier.text());
    }

    private static UnsupportedConstruct unsupported() {
        return new UnsupportedConstruct("FROM with more than one table", "groups of one table are merged");
    }
}
