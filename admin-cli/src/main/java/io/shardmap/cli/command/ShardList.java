package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the virtual shards of a map. */
@Command(
        name = "list",
        description = "Lists the virtual shards of a map and where they are.",
        footer = {"  shardmap shard list --map books", "  shardmap shard list --map books --server bookdbshard0 -o csv"
        })
final class ShardList extends Verb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Option(names = "--server", paramLabel = "NAME", description = "Only those on this server.")
    private @Nullable String server;

    @Override
    int run() {
        ShardMapStore store = database.store();
        List<ShardRow> shards = store.load(choice.name(store)).virtualShards().stream()
                .filter(shard -> server == null || server.equals(shard.server()))
                .map(ShardRow::of)
                .toList();
        output.data().list("virtualShards", ShardRow.class, shards);
        return ExitCodes.DONE;
    }
}
