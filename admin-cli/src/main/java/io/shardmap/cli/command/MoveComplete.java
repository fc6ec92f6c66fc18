package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveQueue;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Completes a move that waits. */
@Command(
        name = "complete",
        description = {
            "Completes a move that was started with --reversible and waits: ends the stream back, and removes the rows from the"
                    + " old server. There is no way back then, but another move.",
            "Repeating it goes on with a completion whose command died; on a move that is done it changes nothing."
        },
        footer = {"  shardmap move complete 7", "  shardmap move complete 7 --dry-run"})
final class MoveComplete extends MoveVerb {
    @Parameters(paramLabel = "MOVE", description = "Number of the move.")
    private long id;

    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    private boolean dryRun;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        MoveStatus now = moves.status(new MoveId(id));
        if (dryRun) {
            String plan = now.state().isWaiting() || now.state() == MoveState.CLEANING
                    ? "would remove the rows from " + now.source() + ": "
                    : now.state() == MoveState.DONE ? "nothing to do: " : "cannot be completed: ";
            output.data().done("dry run: " + plan + sentence(now), "move", MoveRow.of(now));
            return ExitCodes.DONE;
        }
        return new MoveRun(this, moves).of(List.of(MoveQueue.Task.complete(now)), Integer.MAX_VALUE);
    }
}
