package io.shardmap.cli.command;

import io.shardmap.cli.output.Detail;
import io.shardmap.cli.process.ErrorReport;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveEstimate;
import io.shardmap.migrate.move.MoveMethod;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MovePlan;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.PreflightException;
import io.shardmap.migrate.move.PreflightProblem;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A planned move as it is printed.
 *
 * @param reversible whether the move would keep a way back, and wait
 * @param seconds about how long the move will take
 * @param basis what the time was reckoned from
 */
record MovePlanned(
        String map,
        int virtualShard,
        String source,
        String target,
        MoveMethod method,
        boolean reversible,
        long epoch,
        List<String> tables,
        @Nullable Long rows,
        @Nullable Boolean rowsCounted,
        @Nullable Long bytes,
        @Nullable Long bytesPerSecond,
        @Nullable Long seconds,
        @Detail @Nullable String basis,
        List<Problem> problems,
        @Detail List<String> notes,
        boolean dryRun) {

    /** What is in the way. */
    record Problem(PreflightProblem.Kind kind, String message) {}

    static MovePlanned of(MovePlan plan, MoveOptions options, @Nullable MoveEstimate estimate) {
        return new MovePlanned(
                plan.map(),
                plan.virtualShard(),
                plan.source(),
                plan.target(),
                options.method(),
                options.isReversible(),
                plan.epoch(),
                plan.tables().stream()
                        .map(table -> table.table().qualifiedName())
                        .toList(),
                estimate == null ? null : estimate.rows(),
                estimate == null ? null : estimate.rowsCounted(),
                estimate == null ? null : estimate.bytes(),
                estimate == null ? null : estimate.bytesPerSecond(),
                estimate == null ? null : estimate.duration().toSeconds(),
                estimate == null ? null : basis(estimate),
                plan.problems().stream()
                        .map(problem -> new Problem(problem.kind(), problem.message()))
                        .toList(),
                plan.notes(),
                true);
    }

    private static String basis(MoveEstimate estimate) {
        String rate = String.format(Locale.ROOT, "%.1f MB/s", estimate.bytesPerSecond() / 1e6);
        return estimate.movesMeasured() == 0
                ? rate + ", assumed until a move was measured"
                : rate + ", as in the latest " + estimate.movesMeasured() + " moves";
    }

    /** Plans moves, prints what they would do and what is in their way, and returns the exit code. */
    static int print(MoveVerb verb, Moves moves, String map, List<Integer> shards, String target, MoveOptions options) {
        List<MovePlan> plans = shards.stream()
                .map(shard -> moves.plan(map, shard, target, options))
                .toList();
        List<MovePlanned> planned = plans.stream()
                .map(plan -> of(plan, options, moves.estimate(plan, options).orElse(null)))
                .toList();
        switch (verb.output.format()) {
            case TABLE ->
                planned.forEach(
                        one -> one.printForPeople(verb.command.commandLine().getOut()));
            case JSON, CSV -> {
                if (planned.size() == 1) {
                    verb.output.data().one("plan", planned.get(0));
                } else {
                    verb.output.data().list("plans", MovePlanned.class, planned);
                }
            }
        }
        int exit = ExitCodes.DONE;
        for (MovePlan plan : plans) {
            if (!plan.problems().isEmpty()) {
                exit = ErrorReport.print(verb.command.commandLine().getErr(), new PreflightException(plan), false);
            }
        }
        return exit;
    }

    private void printForPeople(PrintWriter out) {
        out.println("dry run: would move " + map + "/" + virtualShard + " from "
                + (source.isEmpty() ? "no server" : source) + " to " + target + ", method "
                + method.name().toLowerCase(Locale.ROOT) + (reversible ? ", with a way back" : "")
                + (problems.isEmpty() ? "" : ", problems " + problems.size()));
        out.println("  tables:    " + String.join(", ", tables));
        if (rows != null && bytes != null && seconds != null) {
            out.println(String.format(
                    Locale.ROOT, "  rows:      %s%,d", Boolean.TRUE.equals(rowsCounted) ? "" : "about ", rows));
            out.println(String.format(
                    Locale.ROOT,
                    "  size:      about %.1f MB; see that %s has room for it and its indexes",
                    bytes / 1e6,
                    target));
            out.println("  time:      about " + MoveDisplay.clock(Duration.ofSeconds(seconds)) + " (" + basis + ")");
        }
        notes.forEach(note -> out.println("  note:      " + note));
        out.flush();
    }
}
