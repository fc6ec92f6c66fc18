package io.shardmap.cli.command;

import io.shardmap.ShardMap;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the tables of a map. */
@Command(
        name = "list",
        description = "Lists the tables that are split by a map, and those that every server has a full copy of.",
        footer = "  shardmap table list --map books")
final class TableList extends Verb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Override
    int run() {
        ShardMapStore store = database.store();
        ShardMap map = store.load(choice.name(store));
        List<TableRow> tables = Stream.concat(
                        map.tables().stream().map(TableRow::of),
                        map.referenceTables().stream().map(TableRow::of))
                .toList();
        output.data().list("tables", TableRow.class, tables);
        if (tables.isEmpty()) {
            output.hint("shardmap table add --map " + map.name() + " TABLE --column COLUMN");
        }
        return ExitCodes.DONE;
    }
}
