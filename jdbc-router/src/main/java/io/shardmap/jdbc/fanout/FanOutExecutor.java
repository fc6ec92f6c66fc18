package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.resolve.ShardResolver;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans: connections, locks and queries on all servers, and the proof that they cover the map exactly once. Safe for use by many
 * threads.
 */
final class FanOutExecutor {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    /** What a map's server last said about copies: the best guess for the filter of the next query. */
    private record Place(String map, Server server) {}

    private final ServerPools pools;
    private final Executor workers;
    private final Executor background;
    private final Watchdog watchdog;
    private final Connections connections;
    private final SortTypes sortTypes = new SortTypes();
    private final Map<Place, Set<Integer>> lastCopies = new ConcurrentHashMap<>();

    FanOutExecutor(ServerPools pools, Executor workers, Executor background, Watchdog watchdog) {
        this.pools = pools;
        this.workers = workers;
        this.background = background;
        this.watchdog = watchdog;
        this.connections = new Connections(pools, background);
    }

    /** A run whose servers all stand before their first row, or have given their count, and the query they run. */
    record Started(FanOutRun run, ShareQuery query) {}

    /** Finds the plan for a generation of the map. */
    interface Planning {
        FanOutPlan.Ready plan(MapView view) throws SQLException;
    }

    /** Finds the view of a generation of the map. */
    interface Viewing {
        MapView view(ShardMap map) throws SQLException;
    }

    /** Starts a query and returns when the coverage is proven. */
    Started start(
            ShardResolver resolver,
            Viewing views,
            Planning planning,
            FanOutSettings settings,
            List<@Nullable Object> parameters)
            throws SQLException {
        Deadline deadline = Deadline.in(settings.deadline());
        long pause = FIRST_PAUSE;
        MapView view = views.view(resolver.map());
        Coverage broken = null;
        while (true) {
            FanOutPlan.Ready plan = planning.plan(view);
            requireParameters(plan, parameters);
            ShareQuery query = new ShareQuery(
                    plan, plan.limit().bind(parameters), parameters, settings.fetchSize(), view.product(), sortTypes);
            FanOutRun run = newRun(view, settings, deadline);
            Coverage coverage;
            try {
                coverage = attempt(run, view, query, settings, deadline);
            } catch (SQLTimeoutException late) {
                if (broken != null && deadline.isOver()) {
                    throw FanOutErrors.moving(view.map().name(), broken, deadline);
                }
                throw late;
            }
            if (coverage.isExact()) {
                run.started();
                return new Started(run, query);
            }
            broken = coverage;
            end(run, settings);
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

    private FanOutRun newRun(MapView view, FanOutSettings settings, Deadline deadline) {
        long now = System.nanoTime();
        List<ServerRead> reads = new ArrayList<>(view.servers().size());
        for (Server server : view.servers()) {
            reads.add(new ServerRead(server, pools.dialect(server), view.map().number(), now));
        }
        return new FanOutRun(view.map().name(), reads, deadline, settings.partial(), executor(settings), background);
    }

    private Coverage attempt(FanOutRun run, MapView view, ShareQuery query, FanOutSettings settings, Deadline deadline)
            throws SQLException {
        watchdog.watch(run);
        boolean healthy = false;
        try {
            connect(run, settings, deadline);
            run.requireHealthy();
            List<ServerRead> connected = alive(run);
            if (view.product() == SqlProduct.H2 && !query.countsInSnapshots()) {
                lockInOrder(run, connected);
            }
            parallel(run, connected, settings, read -> share(run, read, view, query, deadline));
            run.requireHealthy();
            Coverage coverage = coverage(run, view);
            if (coverage.isExact()) {
                requireSameColumns(run, query);
            }
            healthy = true;
            return coverage;
        } finally {
            if (!healthy) {
                end(run, settings);
            }
        }
    }

    private void connect(FanOutRun run, FanOutSettings settings, Deadline deadline) {
        for (ServerRead read : run.reads()) {
            if (run.isStopped()) {
                return;
            }
            try {
                connections.connect(read, settings, deadline);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                run.interrupted();
            } catch (SQLException none) {
                if (deadline.isOver()) {
                    run.timedOut();
                } else {
                    run.unavailable(read, none);
                }
            }
        }
    }

    /** H2 locks rows, and several fan-outs may lock the same one: in one order they cannot wait in a circle. */
    private static void lockInOrder(FanOutRun run, List<ServerRead> reads) {
        for (ServerRead read : reads) {
            try {
                read.lock();
            } catch (SQLException failure) {
                run.failed(read, failure);
            }
        }
    }

    /** One server's share up to its first row, or up to its end when it is a count. */
    private void share(FanOutRun run, ServerRead read, MapView view, ShareQuery query, Deadline deadline) {
        if (run.isStopped() || read.error() != null) {
            return;
        }
        Place place = new Place(view.map().name(), read.server());
        Set<Integer> expected = lastCopies.getOrDefault(place, Set.of());
        try {
            start(read, query, expected, deadline);
            if (!read.copies().equals(expected)) {
                lastCopies.put(place, read.copies());
            }
            if (query.plan() instanceof FanOutPlan.CountSum) {
                read.takeCount();
                read.release();
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            run.interrupted();
        } catch (SQLException failure) {
            run.failed(read, failure);
        }
    }

    /** The pool closes a connection with such an error, and a pool has only so many connections that were opened before a table changed. */
    private void start(ServerRead read, ShareQuery query, Set<Integer> expectedCopies, Deadline deadline)
            throws SQLException, InterruptedException {
        while (true) {
            try {
                read.start(query, expectedCopies);
                return;
            } catch (SQLException failure) {
                if (!pools.dialect(read.server()).isStalePlan(failure) || deadline.isOver()) {
                    throw failure;
                }
                connections.reconnect(read, deadline);
            }
        }
    }

    private static List<ServerRead> alive(FanOutRun run) {
        return run.reads().stream().filter(read -> read.error() == null).toList();
    }

    private static Coverage coverage(FanOutRun run, MapView view) {
        List<List<OwnershipRow>> ownership = new ArrayList<>();
        List<Integer> excused = new ArrayList<>();
        for (ServerRead read : run.reads()) {
            if (read.error() == null) {
                ownership.add(read.ownership());
            } else {
                excused.addAll(view.placements().getOrDefault(read.name(), List.of()));
            }
        }
        Coverage coverage = Coverage.of(view.map().virtualShards().size(), ownership);
        return excused.isEmpty() ? coverage : coverage.excusing(excused);
    }

    private static void requireSameColumns(FanOutRun run, ShareQuery query) throws SQLException {
        if (query.plan() instanceof FanOutPlan.CountSum) {
            return;
        }
        ServerRead first = null;
        for (ServerRead read : alive(run)) {
            if (first == null) {
                first = read;
            } else {
                Columns.requireSame(first, read);
            }
        }
    }

    /** Releases what is still open; returns when every share is at its end. */
    void end(FanOutRun run, FanOutSettings settings) {
        List<ServerRead> open =
                run.reads().stream().filter(read -> !read.hasEnded()).toList();
        if (open.size() < 2) {
            open.forEach(ServerRead::release);
        } else {
            parallel(run, open, settings, ServerRead::release);
        }
        watchdog.forget(run);
    }

    /**
     * Does something for each share and returns when all are done. The calling thread begins with the first and goes on with those that
     * the executor has not begun by then: what takes microseconds does not wait for a thread to wake up.
     */
    private void parallel(FanOutRun run, List<ServerRead> reads, FanOutSettings settings, Consumer<ServerRead> work) {
        if (reads.isEmpty()) {
            return;
        }
        Executor executor = executor(settings);
        List<FutureTask<?>> others = new ArrayList<>(reads.size() - 1);
        for (ServerRead read : reads.subList(1, reads.size())) {
            FutureTask<?> task = new FutureTask<>(() -> work.accept(read), null);
            others.add(task);
            try {
                executor.execute(task);
            } catch (RejectedExecutionException busy) {
                // The calling thread does it.
            }
        }
        try {
            work.accept(reads.get(0));
        } finally {
            others.forEach(FutureTask::run); // those that nobody has begun
            awaitAll(run, others);
        }
    }

    private Executor executor(FanOutSettings settings) {
        return settings.executor() == null ? workers : settings.executor();
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

    private static void requireParameters(FanOutPlan.Ready plan, List<@Nullable Object> parameters)
            throws SQLException {
        if (plan.parameters() != parameters.size()) {
            throw new SQLException(
                    "query must get as many values as it has parameters: parameters=" + plan.parameters() + ", values="
                            + parameters.size(),
                    "07001");
        }
    }

    /** Returns the refusal of a plan as an exception. */
    static SQLException refusal(FanOutPlan.Refusal refusal) {
        return SqlErrors.notSupported(refusal.describe());
    }
}
