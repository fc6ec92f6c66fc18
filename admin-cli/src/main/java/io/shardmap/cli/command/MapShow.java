package io.shardmap.cli.command;

import io.shardmap.ShardMap;
import io.shardmap.VirtualShard;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.key.KeyType;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one shard map. */
@Command(
        name = "show",
        description = "Shows a map: how keys become virtual shards, and which servers hold them.",
        footer = {"  shardmap map show books", "  shardmap map show books -o json"})
final class MapShow extends Verb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(arity = "0..1", paramLabel = "MAP", description = "The shard map, as with --map.")
    private @Nullable String map;

    private record Placement(String server, List<Integer> virtualShards) {}

    private record Detail(
            String name,
            int number,
            long generation,
            KeyType keyType,
            String strategy,
            @Nullable String function,
            int virtualShards,
            List<Integer> unassigned,
            List<Placement> servers,
            List<TableRow> tables) {}

    @Override
    int run() {
        ShardMapStore store = database.store();
        ShardMap shown = store.load(choice.name(store, map));
        output.data()
                .one(
                        "map",
                        new Detail(
                                shown.name(),
                                shown.number(),
                                shown.generation(),
                                shown.keyType(),
                                shown.strategy().strategyName(),
                                KeyFunctions.text(shown.strategy()),
                                shown.virtualShards().size(),
                                shown.virtualShards().stream()
                                        .filter(shard -> shard.state() == VirtualShard.State.UNASSIGNED)
                                        .map(VirtualShard::id)
                                        .toList(),
                                shown.placements().entrySet().stream()
                                        .map(placed -> new Placement(placed.getKey(), placed.getValue()))
                                        .toList(),
                                shown.tables().stream().map(TableRow::of).toList()));
        return ExitCodes.DONE;
    }
}
