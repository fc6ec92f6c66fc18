package io.shardmap.cli.command;

import io.shardmap.ReferenceTable;
import io.shardmap.ShardedTable;
import org.jspecify.annotations.Nullable;

/** A table of a map as it is printed. */
record TableRow(String table, String kind, @Nullable String column) {
    static final String SHARDED = "sharded";
    static final String REFERENCE = "reference";

    static TableRow of(ShardedTable table) {
        return new TableRow(table.qualifiedName(), SHARDED, table.shardColumn());
    }

    static TableRow of(ReferenceTable table) {
        return new TableRow(table.qualifiedName(), REFERENCE, null);
    }
}
