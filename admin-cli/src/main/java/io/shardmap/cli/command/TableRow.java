package io.shardmap.cli.command;

import io.shardmap.ShardedTable;

/** A sharded table as it is printed. */
record TableRow(String table, String column) {
    static TableRow of(ShardedTable table) {
        return new TableRow(table.qualifiedName(), table.shardColumn());
    }
}
