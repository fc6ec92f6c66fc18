package io.shardmap.jdbc.fanout;

import io.shardmap.ShardMap;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.resolve.ShardResolver;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What all runs have in common: connections, work on all servers at once, the proof that they cover the map exactly once, the end. Safe
 * for use by many threads.
 */
final class Runs {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Executor workers;
    private final Executor background;
    private final Watchdog watchdog;
    private final Connections connections;

    Runs(ServerPools pools, Executor workers, Executor background, Watchdog watchdog) {
        this.workers = workers;
        this.background = background;
        this.watchdog = watchdog;
        this.connections = new Connections(pools, background);
    }

    /**
     * A try whose servers have said what they own.
     *
     * @param run all shares
     * @param coverage what the ownership adds up to; the run goes on only when it is exact
     * @param started what the try has started
     */
    record Tried<T>(FanOutRun run, Coverage coverage, T started) {}

    /** Tries with a generation of the map; has ended all shares when it throws. */
    interface Try<T> {
        Tried<T> with(MapView view, Deadline deadline) throws SQLException;
    }

    /** Finds the view of a generation of the map. */
    interface Viewing {
        MapView view(ShardMap map) throws SQLException;
    }

    Connections connections() {
        return connections;
    }

    Executor executor(FanOutSettings settings) {
        return settings.executor() == null ? workers : settings.executor();
    }

    FanOutRun run(
            MapView view,
            List<? extends Share> shares,
            List<ServerRead> reads,
            FanOutSettings settings,
            Deadline deadline) {
        FanOutRun run =
                new FanOutRun(view.map().name(), shares, reads, deadline, settings, executor(settings), background);
        watchdog.watch(run);
        return run;
    }

    /** Tries with newer and newer generations of the map, until the coverage is proven. */
    <T> T covered(ShardResolver resolver, Viewing views, FanOutSettings settings, Try<T> attempt) throws SQLException {
        Deadline deadline = Deadline.in(settings.deadline());
        long pause = FIRST_PAUSE;
        MapView view = views.view(resolver.map());
        Coverage broken = null;
        while (true) {
            Tried<T> tried;
            try {
                tried = attempt.with(view, deadline);
            } catch (SQLTimeoutException late) {
                if (broken != null && deadline.isOver()) {
                    throw FanOutErrors.moving(view.map().name(), broken, deadline);
                }
                throw late;
            }
            Coverage coverage = tried.coverage();
            if (coverage.isExact()) {
                return tried.started();
            }
            broken = coverage;
            end(tried.run(), settings);
            MapView newer = views.view(resolver.refresh(view.map().generation()));
            boolean hopeless = coverage.doubled().isEmpty()
                    && !coverage.missing().isEmpty()
                    && newer.unassigned().containsAll(coverage.missing());
            if (hopeless) {
                throw FanOutErrors.unassigned(view.map().name(), coverage);
            }
            if (newer.map() == view.map()) {
                LockSupport.parkNanos(this, Math.max(0, Math.min(pause, deadline.nanosLeft())));
                pause = Math.min(pause * 2, LONGEST_PAUSE);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw FanOutErrors.interrupted(view.map().name());
            }
            if (deadline.isOver()) {
                throw FanOutErrors.moving(view.map().name(), coverage, deadline);
            }
            view = newer;
        }
    }

    /** Takes a connection for each share, in order. */
    void connect(FanOutRun run, FanOutSettings settings, Deadline deadline) {
        for (Share share : run.shares()) {
            if (run.isStopped()) {
                return;
            }
            try {
                connections.connect(share, settings, deadline);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                run.interrupted();
            } catch (SQLException none) {
                if (deadline.isOver()) {
                    run.timedOut();
                } else {
                    run.unavailable(share, none);
                }
            }
        }
    }

    /** Adds up what the servers own; those that failed count as owning what the map places on them. */
    static Coverage coverage(FanOutRun run, MapView view) {
        List<List<OwnershipRow>> ownership = new ArrayList<>();
        List<Integer> excused = new ArrayList<>();
        for (Share share : run.shares()) {
            if (share.error() == null) {
                ownership.add(share.ownership());
            } else {
                excused.addAll(view.placements().getOrDefault(share.name(), List.of()));
            }
        }
        Coverage coverage = Coverage.of(view.map().virtualShards().size(), ownership);
        return excused.isEmpty() ? coverage : coverage.excusing(excused);
    }

    /** Releases what is still open; returns when every share is at its end. */
    void end(FanOutRun run, FanOutSettings settings) {
        release(run, run.shares(), settings);
        watchdog.forget(run);
    }

    /** Releases shares that are still open, and returns when they are at their end. */
    void release(FanOutRun run, List<? extends Share> shares, FanOutSettings settings) {
        List<? extends Share> open =
                shares.stream().filter(share -> !share.hasEnded()).toList();
        if (open.size() < 2) {
            open.forEach(Share::release);
        } else {
            parallel(run, open, settings, Share::release);
        }
    }

    /**
     * Does something for each share and returns when all are done. The calling thread begins with the first and goes on with those that
     * the executor has not begun by then: what takes microseconds does not wait for a thread to wake up.
     */
    <S extends Share> void parallel(FanOutRun run, List<S> shares, FanOutSettings settings, Consumer<? super S> work) {
        if (shares.isEmpty()) {
            return;
        }
        Executor executor = executor(settings);
        List<FutureTask<?>> others = new ArrayList<>(shares.size() - 1);
        for (S share : shares.subList(1, shares.size())) {
            FutureTask<?> task = new FutureTask<>(() -> work.accept(share), null);
            others.add(task);
            try {
                executor.execute(task);
            } catch (RejectedExecutionException busy) {
                // The calling thread does it.
            }
        }
        try {
            work.accept(shares.get(0));
        } finally {
            others.forEach(FutureTask::run); // those that nobody has begun
            awaitAll(run, others);
        }
    }

    /** Shares end soon after they were cancelled, at the latest when the watchdog cuts their connections. */
    private static void awaitAll(FanOutRun run, List<FutureTask<?>> tasks) {
        boolean interrupted = false;
        RuntimeException failure = null;
        for (FutureTask<?> task : tasks) {
            boolean done = false;
            while (!done) {
                try {
                    task.get();
                    done = true;
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                    run.interrupted();
                } catch (ExecutionException unexpected) {
                    done = true;
                    failure = new IllegalStateException(
                            "share must end with a result or an SQLException", unexpected.getCause());
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
