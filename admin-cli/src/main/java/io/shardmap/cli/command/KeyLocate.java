package io.shardmap.cli.command;

import io.shardmap.Route;
import io.shardmap.ShardMap;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.key.ShardKey;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says where a key lives. */
@Command(
        name = "locate",
        description =
                "Says which virtual shard a key belongs to, and which server holds it. Asks the map, not the server.",
        footer = {
            "  shardmap key locate books 978-8-1130-1024-6",
            "  shardmap key locate --map tenants -- -42",
            "  shardmap key locate 978-8-1130-1024-6 -o json | jq -r .key.server"
        })
final class KeyLocate extends Verb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(
            arity = "1..2",
            paramLabel = "[MAP] KEY",
            hideParamSyntax = true,
            description = "The key as text, after the map unless --map names it or there is only one.")
    private List<String> mapAndKey = List.of();

    private record Located(
            String map,
            String key,
            int virtualShard,
            String server,
            @Nullable String url,
            long epoch) {}

    @Override
    int run() {
        ShardMapStore store = database.store();
        String argument = mapAndKey.size() == 2 ? mapAndKey.get(0) : null;
        ShardMap map = store.load(choice.name(store, argument));
        ShardKey key = map.keyType().parse(mapAndKey.get(mapAndKey.size() - 1));
        Route route = map.route(key);
        output.data()
                .one(
                        "key",
                        new Located(
                                map.name(),
                                key.toString(),
                                route.virtualShard(),
                                route.server().name(),
                                route.server().url(),
                                route.epoch()));
        return ExitCodes.DONE;
    }
}
