package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import io.shardmap.resolve.ShardResolver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one UPDATE or DELETE on all servers. Nothing is committed before it has run on all; then they commit one after the other. All servers
 * are locked from before the first change until their own commit, so no row is changed twice or missed because it moves.
 */
final class UpdateExecutor {
    /** Entering a virtual shard takes a lock, of which a PostgreSQL server has 6,400 by default, for all sessions together. */
    private static final int MOST_VIRTUAL_SHARDS = 2_000;

    private final ServerPools pools;
    private final Runs runs;

    UpdateExecutor(ServerPools pools, Runs runs) {
        this.pools = pools;
        this.runs = runs;
    }

    private record Started(UpdatePlan plan, FanOutRun run, List<UpdateShare> shares) {}

    UpdateReport update(
            ShardResolver resolver,
            Runs.Viewing views,
            FanOutSettings settings,
            String sql,
            List<@Nullable Object> parameters)
            throws SQLException {
        Started started = runs.covered(resolver, views, settings, (view, deadline) -> {
            UpdatePlan plan = plan(sql, view, parameters);
            long now = System.nanoTime();
            List<UpdateShare> shares = new ArrayList<>();
            for (Server server : view.servers()) {
                shares.add(new UpdateShare(
                        server, pools.dialect(server), view.map().number(), now));
            }
            FanOutRun run = runs.run(view, shares, List.of(), settings, deadline);
            Started trying = new Started(plan, run, shares);
            return new Runs.Tried<>(run, enter(trying, view, settings, deadline), trying);
        });
        FanOutRun run = started.run();
        try {
            runs.parallel(
                    run, alive(started.shares()), settings, share -> execute(run, share, started.plan(), parameters));
            run.requireHealthy();
            return commit(started, settings.partial());
        } finally {
            runs.end(run, settings);
        }
    }

    private static UpdatePlan plan(String sql, MapView view, List<@Nullable Object> parameters) throws SQLException {
        try {
            UpdatePlan plan = UpdatePlan.of(sql, view.map());
            FanOutExecutor.requireParameters(plan.parameters(), parameters);
            if (parameters.stream().anyMatch(ShardKeys.class::isInstance)) {
                throw SqlErrors.notSupported("update of all servers must not have a list of shard keys: pass an array,"
                        + " or write through router.openConnection(map, key)");
            }
            return plan;
        } catch (UnsupportedConstruct refused) {
            throw SqlErrors.notSupported("update must be one that each server can run alone: refused="
                    + refused.construct() + "; " + refused.advice());
        }
    }

    /** Locks the servers in the order of their names, which is the same for all fan-outs. */
    private Coverage enter(Started started, MapView view, FanOutSettings settings, Deadline deadline)
            throws SQLException {
        FanOutRun run = started.run();
        boolean healthy = false;
        try {
            runs.connect(run, settings, deadline);
            run.requireHealthy();
            for (UpdateShare share : alive(started.shares())) {
                if (!run.isStopped()) {
                    enter(run, share);
                }
            }
            run.requireHealthy();
            Coverage coverage = Runs.coverage(run, view);
            healthy = true;
            return coverage;
        } finally {
            if (!healthy) {
                runs.end(run, settings);
            }
        }
    }

    private static void enter(FanOutRun run, UpdateShare share) {
        try {
            share.enter();
            long owned = share.ownership().stream().filter(OwnershipRow::owned).count();
            if (owned > MOST_VIRTUAL_SHARDS) {
                throw SqlErrors.notSupported("server must hold no more virtual shards for an update of all servers:"
                        + " virtualShards=" + owned + ", limit=" + MOST_VIRTUAL_SHARDS
                        + "; write through router.openConnection(map, key)");
            }
        } catch (SQLException failure) {
            run.failed(share, failure);
        }
    }

    private static void execute(FanOutRun run, UpdateShare share, UpdatePlan plan, List<@Nullable Object> parameters) {
        if (!run.isStopped()) {
            try {
                share.execute(plan, parameters);
            } catch (SQLException failure) {
                run.failed(share, failure);
            }
        }
    }

    /** Commits one after the other; after a failure no more, unless the answer may be partial. */
    private static UpdateReport commit(Started started, boolean partial) throws SQLException {
        List<ServerUpdate> done = new ArrayList<>();
        SQLException broken = null;
        for (UpdateShare share : started.shares()) {
            SQLException failure = share.error();
            if (failure != null) {
                done.add(new ServerUpdate(share.name(), ServerUpdate.State.FAILED, 0, failure));
            } else if (broken != null && !partial) {
                done.add(new ServerUpdate(share.name(), ServerUpdate.State.NOT_DONE, 0, null));
            } else {
                ServerUpdate update = commit(share);
                done.add(update);
                broken = update.error() == null ? broken : update.error();
            }
        }
        UpdateReport report = new UpdateReport(done);
        if (broken != null && !partial) {
            throw new PartialUpdateException(report, broken);
        }
        return report;
    }

    private static ServerUpdate commit(UpdateShare share) {
        try {
            share.commit();
            return new ServerUpdate(share.name(), ServerUpdate.State.DONE, share.taken(), null);
        } catch (SQLException failure) {
            SQLException error = FanOutErrors.onServer(share.name(), failure);
            share.fail(error);
            String state = error.getSQLState();
            boolean unknown = state == null || state.startsWith("08") || state.startsWith("57P");
            return new ServerUpdate(
                    share.name(), unknown ? ServerUpdate.State.UNKNOWN : ServerUpdate.State.FAILED, 0, error);
        }
    }

    private static List<UpdateShare> alive(List<UpdateShare> shares) {
        return shares.stream().filter(share -> share.error() == null).toList();
    }
}
