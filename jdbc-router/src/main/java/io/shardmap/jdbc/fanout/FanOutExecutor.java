package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.resolve.ShardResolver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans whose rows are merged as they come: locks and queries on all servers. Safe for use by many threads.
 */
final class FanOutExecutor {
    /** What a map's server last said about copies: the best guess for the filter of the next query. */
    private record Place(String map, Server server) {}

    private final ServerPools pools;
    private final Runs runs;
    private final SortTypes sortTypes = new SortTypes();
    private final Map<Place, Set<Integer>> lastCopies = new ConcurrentHashMap<>();

    FanOutExecutor(ServerPools pools, Runs runs) {
        this.pools = pools;
        this.runs = runs;
    }

    /** A run whose servers all stand before their first row, or have given their count, and the query they run. */
    record Started(FanOutRun run, ShareQuery query) {}

    /** Finds the plan for a generation of the map. */
    interface Planning {
        FanOutPlan.Ready plan(MapView view) throws SQLException;
    }

    /** Starts a query and returns when the coverage is proven. */
    Started start(
            ShardResolver resolver,
            Runs.Viewing views,
            Planning planning,
            FanOutSettings settings,
            List<@Nullable Object> parameters)
            throws SQLException {
        Started started = runs.covered(resolver, views, settings, (view, deadline) -> {
            FanOutPlan.Ready plan = planning.plan(view);
            requireParameters(plan.parameters(), parameters);
            KeyRoutes keys = KeyRoutes.of(plan, parameters, view);
            MapView asked = keys == null ? view : keys.view();
            ShareQuery query = new ShareQuery(
                    plan,
                    plan.limit().bind(parameters),
                    parameters,
                    keys,
                    settings.fetchSize(),
                    settings.snapshot(),
                    view.product(),
                    sortTypes);
            FanOutRun run = newRun(asked, settings, deadline);
            return new Runs.Tried<>(run, attempt(run, asked, query, settings, deadline), new Started(run, query));
        });
        started.run().started();
        return started;
    }

    private FanOutRun newRun(MapView view, FanOutSettings settings, Deadline deadline) {
        long now = System.nanoTime();
        List<ServerRead> reads = new ArrayList<>(view.servers().size());
        for (Server server : view.servers()) {
            reads.add(new ServerRead(server, pools.dialect(server), view.map().number(), now));
        }
        return runs.run(view, reads, reads, settings, deadline);
    }

    private Coverage attempt(FanOutRun run, MapView view, ShareQuery query, FanOutSettings settings, Deadline deadline)
            throws SQLException {
        boolean healthy = false;
        try {
            runs.connect(run, settings, deadline);
            run.requireHealthy();
            List<ServerRead> connected = alive(run);
            if (view.product() == SqlProduct.H2 && !query.countsInSnapshots()) {
                lockInOrder(run, connected);
            }
            if (query.snapshot()) {
                runs.parallel(run, connected, settings, read -> enterSnapshot(run, read));
                run.requireHealthy();
                connected = alive(run);
            }
            runs.parallel(run, connected, settings, read -> share(run, read, view, query, deadline));
            run.requireHealthy();
            Coverage coverage = query.keys() == null
                    ? Runs.coverage(run, view)
                    : query.keys().coverage(run);
            if (coverage.isExact()) {
                requireSameColumns(run, query);
            }
            healthy = true;
            return coverage;
        } finally {
            if (!healthy) {
                runs.end(run, settings);
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

    private static void enterSnapshot(FanOutRun run, ServerRead read) {
        if (!run.isStopped()) {
            try {
                read.enterSnapshot();
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
                runs.connections().reconnect(read, deadline);
            }
        }
    }

    private static List<ServerRead> alive(FanOutRun run) {
        return run.reads().stream().filter(read -> read.error() == null).toList();
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

    static void requireParameters(int wanted, List<@Nullable Object> parameters) throws SQLException {
        if (wanted != parameters.size()) {
            throw new SQLException(
                    "query must get as many values as it has parameters: parameters=" + wanted + ", values="
                            + parameters.size(),
                    "07001");
        }
    }

    /** Returns the refusal of a plan as an exception. */
    static SQLException refusal(FanOutPlan.Refusal refusal) {
        return SqlErrors.notSupported(refusal.describe());
    }
}
