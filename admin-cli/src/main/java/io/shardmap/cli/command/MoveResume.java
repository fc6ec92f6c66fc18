package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveQueue;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a move over. */
@Command(
        name = "resume",
        description = {
            "Takes a move over, from a command that died or is still at work, and runs it to its end: forward, or back when it was"
                    + " being undone or taken back.",
            "On a move that is over, or waits for `shardmap move reverse` or `shardmap move complete`, it changes nothing."
        },
        footer = {"  shardmap move resume 7", "  shardmap move resume 7 --dry-run"})
final class MoveResume extends MoveVerb {
    @Parameters(paramLabel = "MOVE", description = "Number of the move.")
    private long id;

    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    private boolean dryRun;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        MoveId move = new MoveId(id);
        MoveStatus now = moves.status(move);
        if (dryRun) {
            String plan = now.state().isAtRest() ? "nothing to do: " : "would take over and run: ";
            output.data().done("dry run: " + plan + sentence(now), "move", MoveRow.of(now));
            return ExitCodes.DONE;
        }
        return new MoveRun(this, moves).of(List.of(MoveQueue.Task.resume(now)), Integer.MAX_VALUE);
    }
}
