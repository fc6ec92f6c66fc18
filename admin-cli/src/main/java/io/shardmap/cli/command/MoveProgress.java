package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveListener;
import io.shardmap.migrate.move.MoveStatus;
import java.time.Duration;
import java.util.Locale;

/** Says how far a move is: every state, and rows once per second. */
final class MoveProgress implements MoveListener {
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final OutputOptions output;
    private long saidAt = System.nanoTime();

    MoveProgress(OutputOptions output) {
        this.output = output;
    }

    @Override
    public void entered(MoveStatus move) {
        output.progress("move " + move.id() + ": " + move.state());
    }

    @Override
    public void copied(MoveStatus move, String table, long rows, long bytes) {
        String size = bytes == 0 ? "" : String.format(Locale.ROOT, ", %.1f MB", bytes / 1e6);
        sometimes("  copied " + rows + " rows of " + table + size);
    }

    @Override
    public void fenceLost(MoveStatus move) {
        output.progress("  the fence ran out, so the copy starts again: give it longer with --fence");
    }

    @Override
    public void cleaned(MoveStatus move, String table, long rows) {
        sometimes("  removed " + rows + " rows of " + table + " from " + move.source());
    }

    private void sometimes(String line) {
        long now = System.nanoTime();
        if (now - saidAt >= PAUSE_NANOS) {
            saidAt = now;
            output.progress(line);
        }
    }
}
