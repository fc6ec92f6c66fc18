package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the moves. */
@Command(
        name = "list",
        description = {
            "Lists the moves of all maps, newest first.",
            "What somebody has to do about moves that do not go on by themselves is said below, and in the field next of JSON and"
                    + " CSV."
        },
        footer = {
            "  shardmap move list",
            "  shardmap move list --map books --active",
            "  shardmap move list --waiting -o json | jq -r '.moves[].next'"
        })
final class MoveList extends MoveVerb {
    private static final int MOST_HINTS = 10;

    @Option(
            names = {"-m", "--map"},
            paramLabel = "MAP",
            description = "Only moves of this map.")
    private @Nullable String map;

    @Option(names = "--active", description = "Only moves that are not over; those that wait are among them.")
    private boolean active;

    @Option(
            names = "--waiting",
            description = "Only moves that wait for `shardmap move reverse` or `shardmap move complete`.")
    private boolean waiting;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        List<MoveRow> rows = moves.list().stream()
                .filter(move -> map == null || map.equals(move.map()))
                .filter(move -> !active || !move.state().isOver())
                .filter(move -> !waiting || move.state().isWaiting())
                .map(MoveRow::of)
                .toList();
        output.data().list("moves", MoveRow.class, rows);
        rows.stream()
                .map(MoveRow::next)
                .filter(Objects::nonNull)
                .limit(MOST_HINTS)
                .forEach(output::hint);
        return ExitCodes.DONE;
    }
}
