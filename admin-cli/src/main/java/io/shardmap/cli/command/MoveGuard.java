package io.shardmap.cli.command;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ShardMapException;
import io.shardmap.cli.process.ErrorReport;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.WayBack;
import io.shardmap.store.JdbcShardMapStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Frees servers of ways back that cost them too much. */
@Command(
        name = "guard",
        description = {
            "Gives the way back of moves that wait up when the new server keeps more write-ahead log for it than the move allows"
                    + " (--wal-limit of `shardmap move start`), or when it is lost: its slot is removed there. The move can only be"
                    + " completed then. The old server need not answer.",
            "No process watches a move that waits, so run this now and then, from cron for instance. The end is 0 when all can still be"
                    + " taken back, 3 when a way back was given up by this run, 1 when a server does not answer."
        },
        footer = {
            "  shardmap move guard 7",
            "  shardmap move guard --all --dry-run",
            "  */5 * * * *  shardmap move guard --all > /dev/null"
        })
final class MoveGuard extends MoveVerb {
    @Parameters(paramLabel = "MOVE", arity = "0..1", description = "Number of a move.")
    private @Nullable Long id;

    @Option(names = "--all", description = "All moves that wait.")
    private boolean all;

    @Option(names = "--dry-run", order = 800, description = "Says what would be given up, and changes nothing.")
    private boolean dryRun;

    private int exit = ExitCodes.DONE;

    /**
     * A move that waits.
     *
     * @param fault why its way back had, or has, to be given up
     */
    private record Row(
            long move,
            String map,
            int virtualShard,
            String server,
            MoveState state,
            @Nullable Long keptBytes,
            @Nullable Long lagBytes,
            @Nullable Long limitBytes,
            @Nullable String fault) {
        static Row of(MoveStatus move, @Nullable WayBack back) {
            return new Row(
                    move.id().value(),
                    move.map(),
                    move.virtualShard(),
                    move.target(),
                    move.state(),
                    back == null ? null : back.keptBytes(),
                    back == null ? null : back.lagBytes(),
                    back == null ? null : back.limitBytes(),
                    back == null ? move.error() : back.fault());
        }
    }

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        if (all == (id != null)) {
            throw wrong("give the number of a move, or --all");
        }
        List<MoveStatus> asked = id == null ? moves.list() : List.of(moves.status(new MoveId(id)));
        List<Row> rows = new ArrayList<>();
        for (MoveStatus move : asked) {
            if (move.state() == MoveState.REVERSIBLE) {
                look(moves, move).ifPresent(rows::add);
            } else if (id != null) {
                rows.add(Row.of(move, null));
            }
        }
        output.data().list("moves", Row.class, rows);
        return exit;
    }

    private Optional<Row> look(Moves moves, MoveStatus move) {
        try {
            Optional<WayBack> back = moves.wayBack(move.id());
            boolean lost = back.isPresent() && back.get().fault() != null;
            MoveStatus now = lost && !dryRun ? moves.guard(move.id()) : moves.status(move.id());
            if (lost) {
                exit = exit == ExitCodes.DONE ? ExitCodes.DRIFT : exit;
                output.progress((dryRun ? "would give the way back up: " : "gave the way back up: ") + sentence(now));
                String next = NextStep.of(now);
                output.hint(next == null ? "shardmap move status " + now.id() : next);
            }
            return Optional.of(Row.of(now, back.orElse(null)));
        } catch (ConcurrentChangeException busy) {
            output.note("another command is at work: " + sentence(move));
        } catch (ShardMapException failure) {
            exit = ExitCodes.FAILED;
            var unused = ErrorReport.print(
                    command.commandLine().getErr(),
                    failure,
                    command.commandLine().getParseResult().hasMatchedOption("--stacktrace"));
        }
        return Optional.empty();
    }
}
