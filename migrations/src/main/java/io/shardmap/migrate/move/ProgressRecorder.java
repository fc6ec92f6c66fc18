package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardMapException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps count of what a mover says to its listener, and once per second, from a thread of its own, writes it down and tells the listener.
 * A progress that cannot be written is lost; the move goes on.
 */
final class ProgressRecorder implements MoveListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressRecorder.class);

    /** A heartbeat beats three times in it. */
    private static final Duration PERIOD = Duration.ofSeconds(3);

    private record Copied(long rows, long bytes) {}

    /** Finds out how much there is to copy. */
    @FunctionalInterface
    private interface Sizing {
        MoveSize size() throws SQLException;
    }

    private final MoveListener listener;
    private final ProgressStore store;
    private final Map<String, Copied> copied = new ConcurrentHashMap<>();
    private MoveSize size = new MoveSize(0, 0, false);
    private @Nullable Sizing sizing;
    private volatile @Nullable Long lag;
    private volatile long began = System.nanoTime();
    private volatile long last = began;
    private volatile boolean changed;
    private volatile @Nullable MoveStatus move;
    private @Nullable Heartbeat heartbeat;

    ProgressRecorder(MoveListener listener, ProgressStore store) {
        this.listener = listener;
        this.store = store;
    }

    /** Begins to write, for a mover that has its lease. */
    void begin(Run run) {
        move = run.move();
        if (!run.move().state().isSwitched()) {
            Server source = run.map().server(run.move().source());
            sizing = () -> MoveSize.of(
                    run.context().pools(),
                    source,
                    run.map().tables(),
                    run.move().virtualShard());
        }
        heartbeat = Heartbeat.start("progress-" + run.move().id(), PERIOD, this::beat);
    }

    /** Counts the rows first, beside the mover: it does not wait for that. */
    private boolean beat() {
        if (sizing != null) {
            try {
                size = sizing.size();
                changed = true;
            } catch (SQLException | ShardMapException unknown) {
                LOG.debug("size of a virtual shard is not known", unknown);
            }
            sizing = null;
        }
        return write();
    }

    private boolean write() {
        MoveStatus current = move;
        if (current == null || !changed) {
            return true;
        }
        changed = false;
        MoveProgress progress = progress();
        listener.progress(current, progress);
        return store.write(current, progress);
    }

    private MoveProgress progress() {
        long rows = copied.values().stream().mapToLong(Copied::rows).sum();
        long bytes = copied.values().stream().mapToLong(Copied::bytes).sum();
        long nanos = Math.max(1, last - began);
        return new MoveProgress(
                Math.max(size.rows(), rows),
                Math.max(size.bytes(), bytes),
                rows,
                bytes,
                Math.round(bytes * 1e9 / nanos),
                lag,
                Instant.now());
    }

    @Override
    public void entered(MoveStatus next) {
        move = next;
        if (next.state() == MoveState.COPYING) {
            restart();
        }
        listener.entered(next);
    }

    private void restart() {
        copied.clear();
        began = System.nanoTime();
        last = began;
    }

    @Override
    public void copied(MoveStatus at, String table, long rows, long bytes) {
        copied.put(table, new Copied(rows, bytes));
        last = System.nanoTime();
        changed = true;
        listener.copied(at, table, rows, bytes);
    }

    @Override
    public void fenceLost(MoveStatus at) {
        restart();
        listener.fenceLost(at);
    }

    @Override
    public void lag(MoveStatus at, long bytes) {
        lag = bytes;
        changed = true;
        listener.lag(at, bytes);
    }

    @Override
    public void paused(MoveStatus at, Duration pause, boolean switched) {
        listener.paused(at, pause, switched);
    }

    @Override
    public void cleaned(MoveStatus at, String table, long rows) {
        listener.cleaned(at, table, rows);
    }

    /** Writes the last of it, if the mover still has its lease. */
    @Override
    public void close() {
        if (heartbeat != null) {
            heartbeat.close();
            try {
                boolean written = write();
                LOG.trace("last progress of a move: written={}", written);
            } catch (ShardMapException lost) {
                LOG.debug("last progress of a move is lost", lost);
            }
        }
    }
}
