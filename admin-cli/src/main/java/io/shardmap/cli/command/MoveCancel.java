package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Undoes a move. */
@Command(
        name = "cancel",
        description = {
            "Undoes a move that has not switched the map yet: the old server serves as before, the copies are removed.",
            "Asks first. A move that has switched can only go forward: resume it, then move the virtual shard back.",
            "Of a move that is being taken back, and whose map has not switched back, the reversal is undone: it waits again."
        },
        footer = {"  shardmap move cancel 7", "  shardmap move cancel 7 --yes"})
final class MoveCancel extends MoveVerb {
    @Parameters(paramLabel = "MOVE", description = "Number of the move.")
    private long id;

    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    private boolean dryRun;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Consent consent;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        MoveId move = new MoveId(id);
        MoveStatus now = moves.status(move);
        boolean back = now.state() == MoveState.REVERSING;
        boolean undoable = !now.state().isSwitched() && !now.state().isOver();
        if (dryRun) {
            String plan = back ? "would undo the reversal: " : undoable ? "would undo: " : "cannot be undone: ";
            output.data().done("dry run: " + plan + sentence(now), "move", MoveRow.of(now));
            return ExitCodes.DONE;
        }
        String question = back
                ? "Stop taking " + now.shard() + " back to " + now.source() + ", and let it stay on " + now.target()
                        + "?"
                : "Undo the move of " + now.shard() + " to " + now.target() + ", and remove what was copied there?";
        if ((back || undoable) && !consent.isGiven(question)) {
            return ExitCodes.FAILED;
        }
        MoveStatus cancelled = moves.cancel(move);
        output.data().done(sentence(cancelled), "move", MoveRow.of(cancelled));
        String next = NextStep.of(cancelled);
        if (next != null) {
            output.hint(next);
        }
        return cancelled.state() == (back ? MoveState.REVERSIBLE : MoveState.ABORTED)
                ? ExitCodes.DONE
                : ExitCodes.FAILED;
    }
}
