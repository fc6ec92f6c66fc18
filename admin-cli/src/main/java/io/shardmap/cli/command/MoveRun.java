package io.shardmap.cli.command;

import io.shardmap.ShardMapException;
import io.shardmap.cli.process.ErrorReport;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import java.util.function.Function;
import picocli.CommandLine;

/** Runs a move in this process, and says what to do when it does not come to its end. */
final class MoveRun {
    private final MoveVerb verb;
    private final Moves moves;

    MoveRun(MoveVerb verb, Moves moves) {
        this.verb = verb;
        this.moves = moves.withListener(new MoveProgress(verb.output));
    }

    /** Runs {@code work} on a move, and returns the exit code. */
    int of(MoveId id, Function<Moves, MoveStatus> work) {
        Thread ifInterrupted = new Thread(() -> {
            verb.output.progress("interrupted: move " + id + " is not over");
            verb.output.hint("shardmap move resume " + id);
        });
        Runtime.getRuntime().addShutdownHook(ifInterrupted);
        try {
            return verb.ended(work.apply(moves));
        } catch (ShardMapException failure) {
            return failed(id, failure);
        } finally {
            forget(ifInterrupted);
        }
    }

    private int failed(MoveId id, ShardMapException failure) {
        CommandLine command = verb.command.commandLine();
        int exit = ErrorReport.print(
                command.getErr(), failure, command.getParseResult().hasMatchedOption("--stacktrace"));
        MoveStatus now = moves.status(id);
        verb.output.progress(MoveVerb.sentence(now));
        if (now.state().isOver()) {
            return exit;
        }
        verb.output.hint("shardmap move resume " + id);
        return ExitCodes.PARTIAL;
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endsAlready) {
            // The process ends: the hook says so itself.
        }
    }
}
