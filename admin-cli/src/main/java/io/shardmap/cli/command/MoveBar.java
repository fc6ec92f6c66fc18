package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveProgress;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a terminal that is written again and again; each new state of a move gets a line of its own, which stays. Of several moves
 * the line shows the one that said something last.
 */
final class MoveBar implements MoveDisplay {
    private static final int WIDTH = 20;

    private final PrintWriter err;
    private final Map<MoveId, MoveState> shown = new HashMap<>();
    private int length;

    MoveBar(PrintWriter err) {
        this.err = err;
    }

    @Override
    public synchronized void show(MoveStatus move, @Nullable MoveProgress progress) {
        if (shown.put(move.id(), move.state()) != move.state()) {
            clear();
            err.println("move " + move.id() + " of " + move.shard() + ": " + move.state());
        }
        if (progress != null && !move.state().isAtRest()) {
            String line = line(move, progress);
            err.print("\r" + line + " ".repeat(Math.max(0, length - line.length())));
            length = line.length();
        }
        err.flush();
    }

    @Override
    public synchronized void fenceLost(MoveStatus move) {
        clear();
        err.println("the fence ran out, so the copy starts again: give it longer with --fence");
        err.flush();
    }

    @Override
    public synchronized void close() {
        clear();
        err.flush();
    }

    private void clear() {
        if (length > 0) {
            err.print("\r" + " ".repeat(length) + "\r");
            length = 0;
        }
    }

    static String line(MoveStatus move, MoveProgress progress) {
        int full = (int) Math.round(progress.share() * WIDTH);
        Duration rest = progress.remaining();
        Long lag = progress.lagBytes();
        return String.format(
                Locale.ROOT,
                "  %s [%s%s] %3d %% %,d of %,d rows, %s, %s/s%s%s",
                move.shard(),
                "#".repeat(full),
                "-".repeat(WIDTH - full),
                (int) (progress.share() * 100),
                progress.rows(),
                progress.totalRows(),
                size(progress.bytes()),
                size(progress.bytesPerSecond()),
                lag == null ? "" : ", lag " + size(lag),
                rest == null ? "" : ", " + MoveDisplay.clock(rest) + " left");
    }

    private static String size(long bytes) {
        return bytes < 10_000
                ? bytes + " B"
                : bytes < 1_000_000
                        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
                        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
