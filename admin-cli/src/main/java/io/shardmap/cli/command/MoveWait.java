package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits for moves. */
@Command(
        name = "wait",
        description = {
            "Waits until moves that other commands run are over, or wait for a decision, and says how they proceed.",
            "The end is 0 when all are done or can be taken back, 1 when one was undone or taken back, 4 when the time is over,"
                    + " 5 when nobody works on one any more, or its way back was given up."
        },
        footer = {"  shardmap move wait 7", "  shardmap move wait 7 8 --timeout 10m -o json"})
final class MoveWait extends MoveVerb {
    @Parameters(paramLabel = "MOVE", arity = "1..*", description = "Numbers of moves.")
    private List<Long> ids = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "1h",
            description = "How long to wait. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofHours(1);

    @Override
    int run(JdbcShardMapStore store, Moves moves) throws InterruptedException {
        List<MoveStatus> ended;
        try (MoveDisplay display = progress.display(output)) {
            ended = new MoveWatch(moves, display)
                    .await(ids.stream().map(MoveId::new).toList(), timeout);
        }
        output.data()
                .list("moves", MoveRow.class, ended.stream().map(MoveRow::of).toList());
        ended.stream().map(NextStep::of).filter(Objects::nonNull).forEach(output::hint);
        return MoveWatch.exitOf(ended);
    }
}
