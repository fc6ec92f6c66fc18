package io.shardmap.cli.command;

import io.shardmap.cli.output.JsonLines;
import io.shardmap.migrate.move.MoveProgress;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One JSON document per line, for programs. */
final class MoveLines implements MoveDisplay {
    private final JsonLines lines;

    MoveLines(PrintWriter err) {
        this.lines = new JsonLines(err);
    }

    private record Line(
            long move,
            String map,
            int virtualShard,
            MoveState state,
            @Nullable Long rows,
            @Nullable Long totalRows,
            @Nullable Long bytes,
            @Nullable Long totalBytes,
            @Nullable Long bytesPerSecond,
            @Nullable Long lagBytes,
            @Nullable Long remainingSeconds,
            @Nullable String event) {
        static Line of(MoveStatus move, @Nullable MoveProgress progress, @Nullable String event) {
            Duration rest = progress == null ? null : progress.remaining();
            return new Line(
                    move.id().value(),
                    move.map(),
                    move.virtualShard(),
                    move.state(),
                    progress == null ? null : progress.rows(),
                    progress == null ? null : progress.totalRows(),
                    progress == null ? null : progress.bytes(),
                    progress == null ? null : progress.totalBytes(),
                    progress == null ? null : progress.bytesPerSecond(),
                    progress == null ? null : progress.lagBytes(),
                    rest == null ? null : rest.toSeconds(),
                    event);
        }
    }

    @Override
    public void show(MoveStatus move, @Nullable MoveProgress progress) {
        lines.print("progress", Line.of(move, progress, null));
    }

    @Override
    public void fenceLost(MoveStatus move) {
        lines.print("progress", Line.of(move, null, "fence lost, the copy starts again"));
    }
}
