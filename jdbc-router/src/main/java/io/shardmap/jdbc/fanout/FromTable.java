package io.shardmap.jdbc.fanout;

import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one table that a query reads.
 *
 * @param table the sharded table
 * @param sql the FROM clause as written
 * @param qualifier name of the table or its alias as written, to qualify columns with
 */
record FromTable(ShardedTable table, String sql, String qualifier) {

    static FromTable of(QueryClauses clauses, ShardMap map) {
        List<SqlToken> tokens = clauses.from();
        int at = 0;
        if (tokens.isEmpty() || !tokens.get(0).isName()) {
            throw unsupported();
        }
        SqlToken schema = null;
        SqlToken name = tokens.get(at++);
        if (at + 1 < tokens.size()
                && tokens.get(at).isSymbol('.')
                && tokens.get(at + 1).isName()) {
            schema = name;
            name = tokens.get(at + 1);
            at += 2;
        }
        SqlToken qualifier = name;
        if (at < tokens.size() && tokens.get(at).is("AS")) {
            at++;
        }
        if (at < tokens.size() && tokens.get(at).isName()) {
            qualifier = tokens.get(at++);
        }
        if (at < tokens.size() || tokens.get(tokens.size() - 1).is("AS")) {
            throw unsupported();
        }
        ShardedTable table = find(map, schema, name);
        return new FromTable(table, clauses.text(tokens), qualifier.text());
    }

    private static ShardedTable find(ShardMap map, @Nullable SqlToken schema, SqlToken name) {
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
    private static boolean names(SqlToken written, String stored) {
        return written.kind() == Kind.QUOTED
                ? written.text().equals(ShardedTable.quote(stored))
                : written.text().equalsIgnoreCase(stored);
    }

    private static UnsupportedConstruct unsupported() {
        return new UnsupportedConstruct(
                "FROM with more than one table, a function or a list",
                "read exactly one sharded table, with or without an alias");
    }
}
