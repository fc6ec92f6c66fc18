package io.shardmap.bench;

import io.shardmap.migrate.move.CrashPoint;
import io.shardmap.migrate.move.MoveHooks;
import io.shardmap.migrate.move.MoveListener;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Runs a move and notes when it passed each point for the last time, and what it copied. */
final class MoveRecorder implements MoveHooks, MoveListener {
    private final Map<CrashPoint, Long> times = new EnumMap<>(CrashPoint.class);
    private final Map<String, Long> rows = new HashMap<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private final Runnable atCopy;
    private final Runnable afterCopy;
    private final long started = System.nanoTime();

    private MoveRecorder(Runnable atCopy, Runnable afterCopy) {
        this.atCopy = atCopy;
        this.afterCopy = afterCopy;
    }

    static MoveRecorder run(Moves moves, String target, MoveOptions options) {
        return run(moves, target, options, () -> {}, () -> {});
    }

    /** Moves the moving virtual shard, and tells when its copy begins and ends. */
    static MoveRecorder run(Moves moves, String target, MoveOptions options, Runnable atCopy, Runnable afterCopy) {
        MoveRecorder recorder = new MoveRecorder(atCopy, afterCopy);
        var id = moves.start(MoveGround.MAP, MoveGround.MOVING, target, options);
        moves.withHooks(recorder).withListener(recorder).run(id);
        return recorder;
    }

    @Override
    public void reached(CrashPoint point) {
        times.put(point, System.nanoTime());
        if (point == CrashPoint.AFTER_SLOT) {
            atCopy.run();
        } else if (point == CrashPoint.AFTER_COPY) {
            afterCopy.run();
        }
    }

    @Override
    public void copied(MoveStatus move, String table, long tableRows, long tableBytes) {
        rows.put(table, tableRows);
        bytes.put(table, tableBytes);
    }

    long started() {
        return started;
    }

    long at(CrashPoint point) {
        Long time = times.get(point);
        if (time == null) {
            throw new IllegalStateException("move must pass the point: point=" + point);
        }
        return time;
    }

    /** Returns the nanoseconds from one point to another. */
    long between(CrashPoint from, CrashPoint to) {
        return at(to) - at(from);
    }

    long copyNanos() {
        return between(CrashPoint.AFTER_SLOT, CrashPoint.AFTER_COPY);
    }

    long rows() {
        return rows.values().stream().mapToLong(Long::longValue).sum();
    }

    long bytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
