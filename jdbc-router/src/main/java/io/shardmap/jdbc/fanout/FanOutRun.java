package io.shardmap.jdbc.fanout;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a plan: the shares of all servers and what ends them together. The deadline, an interrupt of the calling thread and,
 * unless the answer may be partial, the first failure of a server cancel all shares.
 */
final class FanOutRun implements Watchdog.Watched {
    private static final long ABORT_AFTER = TimeUnit.SECONDS.toNanos(1);

    private enum Stop {
        DEADLINE,
        INTERRUPT,
        FAILURE
    }

    private final String map;
    private final List<? extends Share> shares;
    private final List<ServerRead> reads;
    private final Deadline deadline;
    private final boolean partial;
    private final ResultLimit limit;
    private final Executor executor;
    private final Executor background;
    private final AtomicReference<@Nullable Stop> stop = new AtomicReference<>();
    private final AtomicReference<@Nullable Share> firstFailed = new AtomicReference<>();
    private volatile @Nullable Thread caller = Thread.currentThread();
    private volatile List<String> outstanding = List.of();
    private volatile long stoppedAt;
    private volatile boolean aborted;

    FanOutRun(
            String map,
            List<? extends Share> shares,
            List<ServerRead> reads,
            Deadline deadline,
            FanOutSettings settings,
            Executor executor,
            Executor background) {
        this.map = map;
        this.shares = shares;
        this.reads = reads;
        this.deadline = deadline;
        this.partial = settings.partial();
        this.limit = new ResultLimit(settings.result());
        this.executor = executor;
        this.background = background;
    }

    /** Returns all that ends together. */
    List<? extends Share> shares() {
        return shares;
    }

    /** Returns the shares whose rows are merged as they come: all, or none. */
    List<ServerRead> reads() {
        return reads;
    }

    boolean isPartial() {
        return partial;
    }

    /** Returns what counts the rows that are handed out. */
    ResultLimit limit() {
        return limit;
    }

    /** Returns what runs the work of shares beside the calling thread. */
    Executor executor() {
        return executor;
    }

    /** From now on the rows belong to the caller, and an interrupt is its own business. */
    void started() {
        caller = null;
    }

    /** Called by the watchdog. */
    @Override
    public void check() {
        Thread waiting = caller;
        if (stop.get() == null) {
            if (deadline.isOver()) {
                stop(Stop.DEADLINE);
            } else if (waiting != null && waiting.isInterrupted()) {
                stop(Stop.INTERRUPT);
            }
        } else if (!aborted && System.nanoTime() - stoppedAt > ABORT_AFTER) {
            aborted = true;
            shares.stream()
                    .filter(share -> !share.hasEnded())
                    .forEach(share -> background.execute(() -> share.abort(background)));
        }
    }

    private void stop(Stop reason) {
        List<String> unfinished = shares.stream()
                .filter(share -> !share.hasEnded())
                .map(Share::name)
                .toList();
        if (stop.compareAndSet(null, reason)) {
            outstanding = unfinished;
            stoppedAt = System.nanoTime();
            shares.stream().filter(share -> !share.hasEnded()).forEach(share -> background.execute(share::cancel));
        }
    }

    /** Notes that a share has failed; cancels the others unless the answer may be partial. */
    void failed(Share share, SQLException error) {
        ended(share, FanOutErrors.onServer(share.name(), error));
    }

    /** Notes that a server gives no connection; cancels the others unless the answer may be partial. */
    void unavailable(Share share, SQLException error) {
        ended(share, FanOutErrors.unavailable(share.name(), map, error));
    }

    private void ended(Share share, SQLException error) {
        share.fail(error);
        firstFailed.compareAndSet(null, share);
        if (!partial) {
            stop(Stop.FAILURE);
        }
    }

    /** Returns how the run ended. */
    FanOutListener.Outcome outcome() {
        Stop reason = stop.get();
        if (reason == null) {
            return firstFailed.get() == null ? FanOutListener.Outcome.SUCCESS : FanOutListener.Outcome.PARTIAL;
        }
        return reason == Stop.DEADLINE ? FanOutListener.Outcome.TIMEOUT : FanOutListener.Outcome.ERROR;
    }

    /** Returns whether everything is to end now. */
    boolean isStopped() {
        return stop.get() != null;
    }

    /** Cancels all because the calling thread was interrupted. */
    void interrupted() {
        stop(Stop.INTERRUPT);
    }

    /** Cancels all because time is up. */
    void timedOut() {
        stop(Stop.DEADLINE);
    }

    /**
     * Throws why the run cannot go on.
     *
     * @throws SQLException when the deadline passed, the caller was interrupted, a server failed and the answer must be complete, or all
     *     servers failed
     */
    void requireHealthy() throws SQLException {
        Stop reason = stop.get();
        if (reason == Stop.DEADLINE) {
            throw withSuppressed(FanOutErrors.deadline(deadline, map, outstanding), null);
        }
        if (reason == Stop.INTERRUPT) {
            throw withSuppressed(FanOutErrors.interrupted(map), null);
        }
        Share first = firstFailed.get();
        if (first != null && (!partial || shares.stream().allMatch(share -> share.error() != null))) {
            SQLException error = first.error();
            throw withSuppressed(error == null ? FanOutErrors.interrupted(map) : error, error);
        }
    }

    private SQLException withSuppressed(SQLException error, @Nullable SQLException itself) {
        for (Share share : shares) {
            SQLException other = share.error();
            if (other != null
                    && other != itself
                    && !List.of(error.getSuppressed()).contains(other)) {
                error.addSuppressed(other);
            }
        }
        return error;
    }
}
