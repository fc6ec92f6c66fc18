package io.shardmap.cli.command;

import io.shardmap.cli.output.Detail;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A move as it is listed.
 *
 * @param stalled whether it needs somebody to work on it, and nobody does
 * @param next the command, or the two to choose from, when it does not go on by itself
 */
record MoveRow(
        long id,
        String map,
        int virtualShard,
        String source,
        String target,
        MoveState state,
        boolean stalled,
        Instant updatedAt,
        @Detail @Nullable String error,
        @Detail @Nullable String next) {
    static MoveRow of(MoveStatus move) {
        return new MoveRow(
                move.id().value(),
                move.map(),
                move.virtualShard(),
                move.source(),
                move.target(),
                move.state(),
                move.isOrphaned(),
                move.updatedAt(),
                move.error(),
                NextStep.of(move));
    }
}
