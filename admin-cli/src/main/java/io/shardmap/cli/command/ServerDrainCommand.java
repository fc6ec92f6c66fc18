package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveMethod;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MoveQueue;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.PreflightProblem;
import io.shardmap.migrate.move.ServerDrain;
import io.shardmap.store.JdbcShardMapStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves everything off a server. */
@Command(
        name = "drain",
        description = {
            "Moves every virtual shard of all maps off a server, each to the server that has the fewest of its map: online where"
                    + " that can be used, else by the portable method.",
            "Moves that wait, because they can be taken back, are left to you: the drain ends with what to run, and the server is not"
                    + " empty before.",
            "Running it again goes on where it ended. The end is 0 when the server holds nothing, and 5 when a part is done."
        },
        footer = {
            "  shardmap server drain bookdbshard2 --dry-run",
            "  shardmap server drain bookdbshard2",
            "  shardmap server drain bookdbshard2 --to bookdbshard0,bookdbshard1 --at-most 4"
        })
final class ServerDrainCommand extends MoveVerb {
    @Parameters(paramLabel = "NAME", description = "The server.")
    private String name = "";

    @Option(
            names = "--to",
            paramLabel = "SERVER",
            split = ",",
            description = "Servers that may take virtual shards. Default: all others.")
    private List<String> targets = List.of();

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            converter = MethodNames.class,
            completionCandidates = MethodNames.class,
            description = "portable or online. Default: online where it can be used.")
    private @Nullable MoveMethod method;

    @Option(
            names = "--at-most",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "So many moves are at work at once, those of other commands included. Default: ${DEFAULT-VALUE}.")
    private int atMost = 2;

    @Mixin
    private MoveSettings settings = new MoveSettings();

    @Option(names = "--dry-run", order = 800, description = "Says what would be moved where, and what is in the way.")
    private boolean dryRun;

    private record Step(
            String map,
            int virtualShard,
            String target,
            String method,
            @Nullable Long resumesMove,
            List<String> problems) {}

    private record Result(String server, boolean empty, int moved, int left, List<MoveRow> moves) {}

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        if (atMost < 1) {
            throw wrong("at least one move must be allowed at once: --at-most=" + atMost);
        }
        ServerDrain drain = new ServerDrain(store, moves);
        ServerDrain.Plan plan = drain.plan(name, targets);
        MoveOptions options = settings.options(MoveMethod.PORTABLE, null);
        if (dryRun) {
            return print(drain, plan, options);
        }
        plan.busy().forEach(move -> output.note("waits for another command: " + sentence(move)));
        MoveRun run = new MoveRun(this, moves);
        List<MoveQueue.Outcome> outcomes =
                run.outcomes(running -> new ServerDrain(store, running).run(plan, options, method, atMost));
        ServerDrain.Plan rest = drain.plan(name, targets);
        int done = (int) outcomes.stream().filter(MoveQueue.Outcome::isDone).count();
        int left = rest.steps().size()
                + rest.busy().size()
                + rest.waiting().size()
                + rest.problems().size();
        output.data()
                .done(
                        rest.isDone()
                                ? "server " + name + " holds no virtual shard; moved " + done
                                : "server " + name + " is not empty: moved " + done + ", left " + left,
                        "drain",
                        new Result(name, rest.isDone(), done, left, MoveRun.rows(outcomes)));
        if (rest.isDone()) {
            return ExitCodes.DONE;
        }
        explainWaiting(rest);
        output.hint("shardmap server drain " + name);
        return done > 0 ? ExitCodes.PARTIAL : Math.max(run.exit(outcomes), ExitCodes.FAILED);
    }

    private int print(ServerDrain drain, ServerDrain.Plan plan, MoveOptions options) {
        List<Step> steps = new ArrayList<>();
        for (ServerDrain.Step step : plan.steps()) {
            steps.add(new Step(
                    step.map(),
                    step.virtualShard(),
                    step.target(),
                    drain.method(step, options, method).name().toLowerCase(Locale.ROOT),
                    step.move() == null ? null : step.move().id().value(),
                    drain.problems(step, options, method).stream()
                            .map(PreflightProblem::toString)
                            .toList()));
        }
        output.data().list("steps", Step.class, steps);
        plan.busy().forEach(move -> output.progress("at work already: " + sentence(move)));
        plan.problems().forEach(problem -> failure(name, problem));
        explainWaiting(plan);
        boolean possible = plan.problems().isEmpty()
                && plan.waiting().isEmpty()
                && steps.stream().allMatch(step -> step.problems().isEmpty());
        return possible ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private void explainWaiting(ServerDrain.Plan plan) {
        plan.waiting()
                .forEach(move -> failure(name, sentence(move) + ": run " + NextStep.of(move) + ", then drain again"));
    }
}
