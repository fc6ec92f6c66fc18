package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the moves. */
@Command(
        name = "list",
        description = "Lists the moves of all maps, newest first.",
        footer = {"  shardmap move list", "  shardmap move list --map books --active"})
final class MoveList extends MoveVerb {
    @Option(
            names = {"-m", "--map"},
            paramLabel = "MAP",
            description = "Only moves of this map.")
    private @Nullable String map;

    @Option(names = "--active", description = "Only moves that are not over.")
    private boolean active;

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        List<MoveRow> rows = moves.list().stream()
                .filter(move -> map == null || map.equals(move.map()))
                .filter(move -> !active || !move.state().isOver())
                .map(MoveRow::of)
                .toList();
        output.data().list("moves", MoveRow.class, rows);
        rows.stream()
                .filter(MoveRow::stalled)
                .findFirst()
                .ifPresent(stalled -> output.hint("shardmap move resume " + stalled.id()));
        return ExitCodes.DONE;
    }
}
