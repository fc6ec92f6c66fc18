package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists the shard maps. */
@Command(
        name = "list",
        description = "Lists the shard maps.",
        footer = {"  shardmap map list", "  shardmap map list -o csv"})
final class MapList extends Verb {
    @Override
    int run() {
        ShardMapStore store = database.store();
        List<MapRow> maps =
                store.mapNames().stream().map(store::load).map(MapRow::of).toList();
        output.data().list("maps", MapRow.class, maps);
        if (maps.isEmpty()) {
            output.hint("shardmap map create NAME --key-type TYPE --function FUNCTION");
        }
        return ExitCodes.DONE;
    }
}
