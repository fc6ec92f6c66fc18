package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOutPlan.Coordinated;
import io.shardmap.jdbc.fanout.coordinator.PullBudget;
import io.shardmap.jdbc.fanout.coordinator.PulledTable;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.resolve.ShardResolver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans that a coordinator answers: the rows that are needed are collected on one of the servers, in temporary tables, and the
 * database there runs the query. Safe for use by many threads.
 *
 * <p>The servers are locked and prove their coverage first, as for every fan-out; all rows are read after that. Each server is asked to
 * send a table's rows before the first one is read, and the driver's buffers and the network hold back those that are not read yet: what is
 * in memory is one lot of rows.
 */
final class CoordinatedExecutor {
    private static final int LOT_BYTES = 1 << 16;

    private final ServerPools pools;
    private final Runs runs;

    CoordinatedExecutor(ServerPools pools, Runs runs) {
        this.pools = pools;
        this.runs = runs;
    }

    /** Finds the plan for a generation of the map. */
    interface Planning {
        Coordinated plan(MapView view) throws SQLException;
    }

    private record Started(Coordinated plan, FanOutRun run, CoordinatorShare coordinator, List<PullShare> sources) {}

    /** Runs a query and returns when the coordinator has its first rows. */
    FanOutResult query(
            ShardResolver resolver,
            Runs.Viewing views,
            Planning planning,
            FanOutSettings settings,
            List<@Nullable Object> parameters)
            throws SQLException {
        Started started = runs.covered(resolver, views, settings, (view, deadline) -> {
            Coordinated plan = planning.plan(view);
            FanOutExecutor.requireParameters(plan.origin().parameters(), parameters);
            requireSupported(view, settings);
            Started run = start(plan, view, settings, deadline);
            return new Runs.Tried<>(run.run(), enter(run, view, settings, deadline), run);
        });
        FanOutRun run = started.run();
        boolean healthy = false;
        try {
            CoordinatedRows rows = collect(started, settings, parameters);
            run.started();
            healthy = true;
            return new FanOutResult(started.plan(), run, rows);
        } finally {
            if (!healthy) {
                runs.end(run, settings);
            }
        }
    }

    private static void requireSupported(MapView view, FanOutSettings settings) throws SQLException {
        if (view.product() == SqlProduct.H2) {
            throw SqlErrors.notSupported("query needs a coordinator, which H2 servers do not have: map="
                    + view.map().name()
                    + "; run it on PostgreSQL servers, or write it without what needs one: see explain");
        }
        if (settings.partial()) {
            throw SqlErrors.notSupported("query that needs a coordinator must have the rows of all servers: map="
                    + view.map().name() + "; call it without partial()");
        }
    }

    private Started start(Coordinated plan, MapView view, FanOutSettings settings, Deadline deadline)
            throws SQLException {
        String chosen = coordinator(plan, view, settings);
        long now = System.nanoTime();
        List<PullShare> shares = new ArrayList<>();
        List<PullShare> sources = new ArrayList<>();
        CoordinatorShare coordinator = null;
        for (Server server : view.servers()) {
            if (server.name().equals(chosen)) {
                coordinator = new CoordinatorShare(
                        server, pools.dialect(server), view.map().number(), now);
                shares.add(coordinator);
            } else {
                PullShare source =
                        new PullShare(server, pools.dialect(server), view.map().number(), now);
                shares.add(source);
                sources.add(source);
            }
        }
        if (coordinator == null) {
            throw new SQLException(
                    "coordinator must be a server that holds virtual shards: coordinator=" + chosen + ", map="
                            + view.map().name() + ", servers="
                            + view.servers().stream().map(Server::name).toList(),
                    "22023");
        }
        return new Started(plan, runs.run(view, shares, List.of(), settings, deadline), coordinator, sources);
    }

    /** Each query text has its coordinator, so that different queries burden different servers. */
    private static String coordinator(Coordinated plan, MapView view, FanOutSettings settings) {
        if (settings.coordinator() != null) {
            return settings.coordinator();
        }
        List<Server> servers = view.servers();
        return servers.isEmpty()
                ? "none"
                : servers.get(Math.floorMod(plan.sql().hashCode(), servers.size()))
                        .name();
    }

    private Coverage enter(Started started, MapView view, FanOutSettings settings, Deadline deadline)
            throws SQLException {
        FanOutRun run = started.run();
        boolean healthy = false;
        try {
            runs.connect(run, settings, deadline);
            run.requireHealthy();
            List<PullShare> all = new ArrayList<>(started.sources());
            all.add(started.coordinator());
            onEach(run, all, settings, share -> share.enter(settings.snapshot()));
            Coverage coverage = Runs.coverage(run, view);
            healthy = true;
            return coverage;
        } finally {
            if (!healthy) {
                runs.end(run, settings);
            }
        }
    }

    private CoordinatedRows collect(Started started, FanOutSettings settings, List<@Nullable Object> parameters)
            throws SQLException {
        FanOutRun run = started.run();
        Coordinated plan = started.plan();
        CoordinatorShare coordinator = started.coordinator();
        List<PulledTable> tables = on(run, coordinator, () -> coordinator.create(plan.pulls(), parameters));
        TextFormat format = on(run, coordinator, () -> TextFormat.of(coordinator.connection()));
        boolean money = tables.stream().anyMatch(PulledTable::hasMoney);
        onEach(run, started.sources(), settings, source -> source.speak(format, money));
        PullBudget budget =
                new PullBudget(settings.pulled().rows(), settings.pulled().bytes());
        for (PulledTable table : tables) {
            onEach(run, started.sources(), settings, source -> source.send(table));
            collect(started, table, budget);
        }
        runs.release(run, started.sources(), settings);
        ResultSet rows = on(run, coordinator, () -> coordinator.query(plan, tables, parameters, settings.fetchSize()));
        return new CoordinatedRows(run, () -> runs.end(run, settings), coordinator, rows, tables);
    }

    private static void collect(Started started, PulledTable table, PullBudget budget) throws SQLException {
        FanOutRun run = started.run();
        CoordinatorShare coordinator = started.coordinator();
        CoordinatorShare.Stored own = on(run, coordinator, () -> coordinator.insertOwn(table, budget.rowsLeft() + 1));
        budget.take(own.rows(), own.bytes());
        on(run, coordinator, () -> {
            coordinator.openCopy(table);
            return true;
        });
        byte[] lot = new byte[LOT_BYTES];
        List<PullShare> sending = new ArrayList<>(started.sources());
        while (!sending.isEmpty()) {
            for (PullShare source : List.copyOf(sending)) {
                if (!turn(run, source, coordinator, budget, lot)) {
                    sending.remove(source);
                }
            }
        }
        on(run, coordinator, () -> {
            coordinator.closeCopy();
            return true;
        });
    }

    /** Takes one lot of rows from a server to the coordinator; returns whether the server may have more. */
    private static boolean turn(
            FanOutRun run, PullShare source, CoordinatorShare coordinator, PullBudget budget, byte[] lot)
            throws SQLException {
        int filled = 0;
        while (filled < lot.length) {
            byte[] row = on(run, source, source::nextRow);
            if (row.length == 0) {
                write(run, coordinator, lot, filled);
                return false;
            }
            budget.take(1, row.length);
            if (row.length > lot.length - filled) {
                write(run, coordinator, lot, filled);
                write(run, coordinator, row, row.length);
                return true;
            }
            System.arraycopy(row, 0, lot, filled, row.length);
            filled += row.length;
        }
        write(run, coordinator, lot, filled);
        return true;
    }

    private static void write(FanOutRun run, CoordinatorShare coordinator, byte[] rows, int length)
            throws SQLException {
        if (length > 0) {
            on(run, coordinator, () -> {
                coordinator.write(rows, length);
                return true;
            });
        }
    }

    /** Does something with a share. */
    private interface Step<T> {
        T run() throws SQLException;
    }

    private interface ShareStep {
        void run(PullShare share) throws SQLException;
    }

    private static <T> T on(FanOutRun run, PullShare share, Step<T> step) throws SQLException {
        if (run.isStopped()) {
            run.requireHealthy();
        }
        try {
            return step.run();
        } catch (SQLException failure) {
            run.failed(share, failure);
            run.requireHealthy();
            throw failure;
        }
    }

    private void onEach(FanOutRun run, List<PullShare> shares, FanOutSettings settings, ShareStep step)
            throws SQLException {
        runs.parallel(run, shares, settings, share -> {
            if (!run.isStopped()) {
                try {
                    step.run(share);
                } catch (SQLException failure) {
                    run.failed(share, failure);
                }
            }
        });
        run.requireHealthy();
    }
}
