package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits for moves. */
@Command(
        name = "wait",
        description = {
            "Waits until moves that other commands run are over, and says how they proceed.",
            "The end is 0 when all are done, 1 when one was undone, 4 when the time is over, 5 when nobody works on one any"
                    + " more."
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
        ended.stream().filter(MoveStatus::isOrphaned).forEach(move -> output.hint("shardmap move resume " + move.id()));
        return MoveWatch.exitOf(ended);
    }
}
