package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveMethod;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MovePlan;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.OnlineOptions;
import io.shardmap.migrate.move.PreflightException;
import io.shardmap.store.JdbcShardMapStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a move. */
@Command(
        name = "start",
        description = {
            "Moves a virtual shard to another server: copies its rows, verifies them, switches the map, removes the rows"
                    + " from the old server. By the portable method writers of the virtual shard wait while its rows are"
                    + " copied; by the online method (PostgreSQL, logical replication) only for the cut-over.",
            "This command does the work, so by default it stays until the move is over. A move that is only recorded, or"
                    + " whose command ended early, is run by `shardmap move resume`."
        },
        footer = {
            "  shardmap move start --map books 6 --to bookdbshard0",
            "  shardmap move start --map books 6 --to bookdbshard0 --method online",
            "  shardmap move start --map books 6 --to bookdbshard0 --dry-run"
        })
final class MoveStart extends MoveVerb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(paramLabel = "ID", description = "The virtual shard.")
    private int virtualShard;

    @Option(names = "--to", required = true, paramLabel = "SERVER", description = "The server that shall hold it.")
    private String target = "";

    @Option(
            names = "--wait",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Runs the move to its end, which is the default; --no-wait only records it and prints its number.")
    private boolean wait = true;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            converter = MethodNames.class,
            completionCandidates = MethodNames.class,
            defaultValue = "portable",
            description = "portable or online. Default: ${DEFAULT-VALUE}.")
    private MoveMethod method = MoveMethod.PORTABLE;

    @Option(
            names = "--source-url",
            paramLabel = "URL",
            description = "Online method: JDBC URL of the old server as the new one reaches it, without credentials."
                    + " Default: the one in the map.")
    private @Nullable String sourceUrl;

    @Option(
            names = "--fence",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "30s",
            description = "How long writers of the virtual shard wait at most, should this command die. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Duration fence = Duration.ofSeconds(30);

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "5s",
            description = "Pause before rows are removed from the old server. Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ofSeconds(5);

    @Option(names = "--dry-run", order = 800, description = "Checks what is in the way, and changes nothing.")
    private boolean dryRun;

    private record Planned(
            String map,
            int virtualShard,
            String source,
            String target,
            long epoch,
            List<String> tables,
            boolean dryRun) {}

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        String map = choice.name(store);
        MoveOptions options = MoveOptions.DEFAULT
                .withOnline(OnlineOptions.DEFAULT.withSourceUrl(sourceUrl))
                .withMethod(method)
                .withFence(fence)
                .withGrace(grace);
        if (dryRun) {
            return plan(moves.plan(map, virtualShard, target, options));
        }
        MoveId id = moves.start(map, virtualShard, target, options);
        if (wait) {
            return new MoveRun(this, moves).of(id, running -> running.run(id));
        }
        output.data().done("recorded: " + sentence(moves.status(id)), "move", MoveRow.of(moves.status(id)));
        output.hint("shardmap move resume " + id);
        return ExitCodes.DONE;
    }

    private int plan(MovePlan plan) {
        if (!plan.problems().isEmpty()) {
            throw new PreflightException(plan);
        }
        List<String> tables = plan.tables().stream()
                .map(table -> table.table().qualifiedName())
                .toList();
        output.data()
                .done(
                        "dry run: would move " + plan + ", tables " + String.join(", ", tables),
                        "plan",
                        new Planned(
                                plan.map(),
                                plan.virtualShard(),
                                plan.source(),
                                plan.target(),
                                plan.epoch(),
                                tables,
                                true));
        return ExitCodes.DONE;
    }
}
