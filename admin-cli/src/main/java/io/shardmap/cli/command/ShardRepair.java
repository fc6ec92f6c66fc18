package io.shardmap.cli.command;

import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.OwnershipRepair;
import io.shardmap.store.JdbcShardMapStore;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes servers agree with the map. */
@Command(
        name = "repair",
        description = {
            "Makes the servers agree with the map about virtual shards, after a restore or a hand at work (`shardmap doctor`"
                    + " finds those): the server that the map names opens them at a new epoch, every other server closes"
                    + " them, and rows that lie elsewhere are marked so that no query counts them. Asks first.",
            "Every server must answer. Repeating it completes what an interruption left."
        },
        footer = {
            "  shardmap shard repair --map books 6 --dry-run",
            "  shardmap shard repair --map books 6,7",
            "  shardmap shard repair --map books 6 --remove-copies"
        })
final class ShardRepair extends Change {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(
            paramLabel = "IDS",
            converter = ShardNumbers.Converter.class,
            description = "Virtual shards, such as 0,1,2,9 or 0-10.")
    private ShardNumbers ids = new ShardNumbers(List.of());

    @Option(
            names = "--remove-copies",
            description =
                    "Also deletes their rows from servers that do not own them. Look at those first: a server that"
                            + " was the owner by mistake may hold the only copy of what it acknowledged.")
    private boolean removeCopies;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Consent consent;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Repaired(int virtualShard, String change) {}

    private record Result(String map, List<Integer> virtualShards, List<Repaired> changes, boolean dryRun) {}

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        String map = choice.name(store);
        try (ServerPools pools = logins.pools()) {
            OwnershipRepair repair = new OwnershipRepair(store, pools);
            List<Repaired> planned = new ArrayList<>();
            for (int id : ids.numbers()) {
                repair.plan(map, id, removeCopies).changes().forEach(change -> planned.add(new Repaired(id, change)));
            }
            if (!dryRun && !planned.isEmpty()) {
                planned.forEach(one -> output.progress("virtual shard " + one.virtualShard() + ": " + one.change()));
                if (!consent.isGiven("Do this to map " + map + "?")) {
                    return ExitCodes.FAILED;
                }
                ids.numbers().forEach(id -> repair.repair(map, id, removeCopies));
            }
            String shards = planned.size() + " changes to virtual shards of map " + map;
            String nothing = "the servers agree with map " + map + " already";
            done(
                    planned.isEmpty() ? nothing : "made " + shards,
                    planned.isEmpty() ? nothing : "would make " + shards + ": " + planned,
                    "repair",
                    new Result(map, ids.numbers(), planned, dryRun),
                    "shardmap doctor");
            return ExitCodes.DONE;
        }
    }
}
