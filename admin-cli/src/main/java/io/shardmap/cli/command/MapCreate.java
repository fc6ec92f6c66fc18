package io.shardmap.cli.command;

import io.shardmap.ShardMap;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.key.KeyType;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.store.ShardMapStore;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a shard map. */
@Command(
        name = "create",
        description = {
            "Creates a shard map whose virtual shards are on no server yet.",
            "A map that exists with the same definition is left as it is."
        },
        footer = {
            "  shardmap map create books --key-type string --function isbn-check-digit",
            "  shardmap map create tenants --key-type long --function mod:64"
        })
final class MapCreate extends Change {
    @Parameters(paramLabel = "NAME", description = "Name of the new map: lower-case letters, digits, _ and -.")
    private String name = "";

    @Option(
            names = "--key-type",
            required = true,
            paramLabel = "TYPE",
            description = "Type of its keys: integer, long, string or uuid.")
    private KeyType keyType = KeyType.STRING;

    @Option(
            names = "--function",
            required = true,
            paramLabel = "FUNCTION",
            converter = KeyFunctions.class,
            description =
                    "How a key becomes a virtual shard: isbn-check-digit (11 virtual shards), mod:N (the remainder of a"
                            + " number or of a text's CRC-32), identity:N (the key is the number, below N).")
    private KeyFunction function = new KeyFunction.IsbnCheckDigit();

    private record Result(
            String name, KeyType keyType, String function, int virtualShards, boolean created, boolean dryRun) {}

    @Override
    int run() {
        ShardMapDefinition definition = new ShardMapDefinition(name, keyType, new Strategy.Lookup(function));
        ShardMapStore store = database.store();
        boolean there = store.mapNames().contains(name) && isAsDefined(store.load(name), definition);
        if (!there && !dryRun) {
            store.createMap(definition);
        }
        String what = "map " + name + " with " + function.virtualShards() + " virtual shards";
        String text = String.valueOf(KeyFunctions.text(definition.strategy()));
        done(
                there ? what + " is there already" : "created " + what,
                there ? what + " is there already" : "would create " + what,
                "map",
                new Result(name, keyType, text, function.virtualShards(), !there && !dryRun, dryRun),
                "shardmap schema migrate --locations filesystem:DIR");
        return ExitCodes.DONE;
    }

    private static boolean isAsDefined(ShardMap map, ShardMapDefinition definition) {
        return map.keyType() == definition.keyType() && map.strategy().equals(definition.strategy());
    }
}
