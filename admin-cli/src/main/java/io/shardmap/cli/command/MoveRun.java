package io.shardmap.cli.command;

import io.shardmap.ShardMapException;
import io.shardmap.cli.process.ErrorReport;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveQueue;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import picocli.CommandLine;

/** Runs moves in this process, and says what to do when one does not come to its end. */
final class MoveRun {
    private final MoveVerb verb;
    private final Moves moves;
    private int failureExit = ExitCodes.FAILED;

    MoveRun(MoveVerb verb, Moves moves) {
        this.verb = verb;
        this.moves = moves;
    }

    /** Runs tasks of recorded moves, prints how they ended, and returns the exit code. */
    int of(List<MoveQueue.Task> tasks, int atMost) {
        List<MoveQueue.Outcome> outcomes = outcomes(running -> new MoveQueue(running, atMost).run(tasks));
        if (outcomes.size() == 1
                && outcomes.get(0).failure() == null
                && outcomes.get(0).status() != null) {
            return verb.ended(outcomes.get(0).status());
        }
        if (outcomes.size() > 1) {
            verb.output.data().list("moves", MoveRow.class, rows(outcomes));
        }
        return exit(outcomes);
    }

    /** Runs something that runs moves, shows their progress, and prints every failure. */
    List<MoveQueue.Outcome> outcomes(Function<Moves, List<MoveQueue.Outcome>> work) {
        Thread ifInterrupted = new Thread(() -> {
            verb.output.progress("interrupted: moves that are not over go on when they are resumed");
            verb.output.hint("shardmap move list --active");
        });
        Runtime.getRuntime().addShutdownHook(ifInterrupted);
        List<MoveQueue.Outcome> outcomes;
        try (MoveDisplay display = verb.progress.display(verb.output)) {
            outcomes = work.apply(moves.withListener(display));
        } finally {
            forget(ifInterrupted);
        }
        outcomes.forEach(this::explain);
        return outcomes;
    }

    static List<MoveRow> rows(List<MoveQueue.Outcome> outcomes) {
        return outcomes.stream()
                .map(MoveQueue.Outcome::status)
                .filter(Objects::nonNull)
                .map(MoveRow::of)
                .toList();
    }

    private void explain(MoveQueue.Outcome outcome) {
        ShardMapException failure = outcome.failure();
        if (failure == null) {
            return;
        }
        CommandLine command = verb.command.commandLine();
        failureExit = ErrorReport.print(
                command.getErr(), failure, command.getParseResult().hasMatchedOption("--stacktrace"));
        MoveStatus now = outcome.status();
        if (now != null) {
            verb.output.progress(MoveVerb.sentence(now));
            String next = NextStep.of(now);
            if (next != null) {
                verb.output.hint(next);
            }
        }
    }

    /** What needs a mover can be gone on with; what was undone, or could not be taken back and waits as before, has failed. */
    int exit(List<MoveQueue.Outcome> outcomes) {
        if (outcomes.stream().allMatch(MoveQueue.Outcome::isDone)) {
            return ExitCodes.DONE;
        }
        return outcomes.stream().anyMatch(MoveRun::isPart) ? ExitCodes.PARTIAL : failureExit;
    }

    private static boolean isPart(MoveQueue.Outcome outcome) {
        MoveStatus now = outcome.status();
        return outcome.isDone()
                || (now != null
                        && (!now.state().isAtRest()
                                || (outcome.failure() == null && now.state().isWaiting())));
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endsAlready) {
            // The process ends: the hook says so itself.
        }
    }
}
