package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveQueue;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a move back. */
@Command(
        name = "reverse",
        description = {
            "Takes a move back that was started with --reversible and waits: the old server gets what it lacks of all that was"
                    + " written since, is compared, and serves again; then the rows are removed from the new server. Writers wait"
                    + " for the cut-over only.",
            "When it fails before the map switches back, the new server serves on and the move waits as before. Repeating it goes"
                    + " on with a reversal whose command died; on a move that is taken back it changes nothing."
        },
        footer = {"  shardmap move reverse 7", "  shardmap move reverse 7 --dry-run"})
final class MoveReverse extends MoveVerb {
    private static final Set<MoveState> POSSIBLE =
            EnumSet.of(MoveState.REVERSIBLE, MoveState.REVERSING, MoveState.SWITCHED_BACK);

    @Parameters(paramLabel = "MOVE", description = "Number of the move.")
    private long id;

    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    private boolean dryRun;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        MoveStatus now = moves.status(new MoveId(id));
        if (dryRun) {
            String plan = POSSIBLE.contains(now.state())
                    ? "would take back to " + now.source() + ": "
                    : now.state() == MoveState.REVERSED ? "nothing to do: " : "cannot be taken back: ";
            output.data().done("dry run: " + plan + sentence(now), "move", MoveRow.of(now));
            return ExitCodes.DONE;
        }
        return new MoveRun(this, moves).of(List.of(MoveQueue.Task.reverse(now)), Integer.MAX_VALUE);
    }
}
