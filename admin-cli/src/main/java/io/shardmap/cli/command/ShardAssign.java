package io.shardmap.cli.command;

import io.shardmap.VirtualShard;
import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives virtual shards their first server. */
@Command(
        name = "assign",
        description = {
            "Gives virtual shards their first server. Those on another server must be moved (`shardmap move start`).",
            "Repeating it completes what an interruption left."
        },
        footer = {
            "  shardmap shard assign --map books 0,1,2,9 --server bookdbshard0",
            "  shardmap shard assign --map books 3-8,10 --server bookdbshard1 --dry-run"
        })
final class ShardAssign extends Change {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(
            paramLabel = "IDS",
            converter = ShardNumbers.Converter.class,
            description = "Virtual shards, such as 0,1,2,9 or 0-10.")
    private ShardNumbers ids = new ShardNumbers(List.of());

    @Option(names = "--server", required = true, paramLabel = "NAME", description = "The server that shall hold them.")
    private String server = "";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Result(
            String map,
            String server,
            List<Integer> virtualShards,
            List<Integer> assigned,
            List<Integer> unassigned,
            boolean dryRun) {}

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        String map = choice.name(store);
        try (ServerPools pools = logins.pools()) {
            ShardAssignment assignment = new ShardAssignment(store, pools);
            ShardAssignment.Plan plan = dryRun
                    ? assignment.plan(map, ids.numbers(), server)
                    : assignment.assign(map, ids.numbers(), server);
            List<Integer> changed = plan.epochs().keySet().stream().sorted().toList();
            List<Integer> left = store.load(map).virtualShards().stream()
                    .filter(shard -> shard.state() == VirtualShard.State.UNASSIGNED)
                    .map(VirtualShard::id)
                    .toList();
            String where = " of map " + map + " to server " + server;
            String shards = "virtual shards " + join(changed) + where;
            String nothing = "all " + ids.numbers().size() + " virtual shards are on server " + server + " already";
            done(
                    changed.isEmpty() ? nothing : "assigned " + shards,
                    changed.isEmpty() ? nothing : "would assign " + shards,
                    "assignment",
                    new Result(map, server, ids.numbers(), dryRun ? List.of() : changed, left, dryRun),
                    left.isEmpty()
                            ? "shardmap key locate " + map + " KEY"
                            : "shardmap shard assign --map " + map + " " + join(left) + " --server NAME");
            return ExitCodes.DONE;
        }
    }

    private static String join(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
