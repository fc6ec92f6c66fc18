package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the sharded tables of a map. */
@Command(
        name = "list",
        description = "Lists the tables that are split by a map.",
        footer = "  shardmap table list --map books")
final class TableList extends Verb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Override
    int run() {
        ShardMapStore store = database.store();
        String map = choice.name(store);
        List<TableRow> tables =
                store.load(map).tables().stream().map(TableRow::of).toList();
        output.data().list("tables", TableRow.class, tables);
        if (tables.isEmpty()) {
            output.hint("shardmap table add --map " + map + " TABLE --column COLUMN");
        }
        return ExitCodes.DONE;
    }
}
