package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MovePlan;
import io.shardmap.migrate.move.MoveQueue;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.PreflightException;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a move. */
@Command(
        name = "start",
        description = {
            "Moves virtual shards to another server: copies their rows, verifies them, switches the map, removes the rows"
                    + " from the old server. By the portable method writers of a virtual shard wait while its rows are"
                    + " copied; by the online method (PostgreSQL, logical replication) only for the cut-over.",
            "With --reversible the move keeps a way back: once the new server serves, the move waits, and this command ends."
                    + " `shardmap move reverse` takes it back with everything written meanwhile, `shardmap move complete` removes"
                    + " the rows from the old server.",
            "This command does the work, so by default it stays until the move is over or waits. A move that is only recorded, or"
                    + " whose command ended early, is run by `shardmap move resume`."
        },
        footer = {
            "  shardmap move start --map books 6 --to bookdbshard0",
            "  shardmap move start --map books 6 --to bookdbshard0 --method online",
            "  shardmap move start --map books 6 --to bookdbshard0 --reversible",
            "  shardmap move start --map books 3-6 --to bookdbshard0 --at-most 2",
            "  shardmap move start --map books 6 --to bookdbshard0 --dry-run"
        })
final class MoveStart extends MoveVerb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(
            paramLabel = "IDS",
            converter = ShardNumbers.Converter.class,
            description = "The virtual shards, such as 6 or 0-2,9.")
    private ShardNumbers ids = new ShardNumbers(List.of());

    @Option(names = "--to", required = true, paramLabel = "SERVER", description = "The server that shall hold them.")
    private String target = "";

    @Option(
            names = "--wait",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Runs the moves to their end, which is the default; --no-wait only records them and prints their"
                            + " numbers.")
    private boolean wait = true;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private MethodChoice method;

    @Option(
            names = "--at-most",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "So many moves are at work at once, those of other commands included; the rest waits for its turn."
                            + " Default: ${DEFAULT-VALUE}.")
    private int atMost = 2;

    @Mixin
    private MoveSettings settings = new MoveSettings();

    @Option(names = "--dry-run", order = 800, description = "Does what `shardmap move plan` does: changes nothing.")
    private boolean dryRun;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        if (atMost < 1) {
            throw wrong("at least one move must be allowed at once: --at-most=" + atMost);
        }
        String map = choice.name(store);
        MoveOptions options = method.options(settings);
        if (dryRun) {
            return MovePlanned.print(this, moves, map, ids.numbers(), target, options);
        }
        List<MoveStatus> started = start(moves, map, options);
        if (wait) {
            return new MoveRun(this, moves)
                    .of(started.stream().map(MoveQueue.Task::run).toList(), atMost);
        }
        if (started.size() == 1) {
            output.data().done("recorded: " + sentence(started.get(0)), "move", MoveRow.of(started.get(0)));
        } else {
            output.data()
                    .list(
                            "moves",
                            MoveRow.class,
                            started.stream().map(MoveRow::of).toList());
        }
        started.forEach(move -> output.hint("shardmap move resume " + move.id()));
        return ExitCodes.DONE;
    }

    /** Records all moves, or none when something is in the way of one. */
    private List<MoveStatus> start(Moves moves, String map, MoveOptions options) {
        for (int id : ids.numbers()) {
            MovePlan plan = moves.plan(map, id, target, options);
            if (!plan.problems().isEmpty()) {
                throw new PreflightException(plan);
            }
        }
        return ids.numbers().stream()
                .map(id -> moves.status(moves.start(map, id, target, options)))
                .toList();
    }
}
