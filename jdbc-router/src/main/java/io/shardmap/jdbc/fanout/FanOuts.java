package io.shardmap.jdbc.fanout;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.shardmap.ShardMap;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOutListener.Outcome;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.resolve.ShardResolver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What all fan-outs of a router share: plans, threads, the watch over deadlines. Threads are daemons, made on demand and gone after 30 s
 * without work. Safe for use by many threads.
 */
public final class FanOuts implements AutoCloseable {
    private static final int MAX_PLANS = 1_000;
    private static final int MAX_WORKERS = 128;
    private static final String ADD_PLANNER = "or add shardmap-query to the class path, which plans more queries";

    private record PlanKey(String sql, String map, long generation) {}

    private final ServerPools pools;
    private final ExecutorService workers = threads("shardmap-fanout-", MAX_WORKERS);
    private final ExecutorService background = threads("shardmap-fanout-background-", Integer.MAX_VALUE);
    private final Watchdog watchdog = new Watchdog();
    private final Runs runs;
    private final FanOutExecutor executor;
    private final CoordinatedExecutor coordinated;
    private final UpdateExecutor updates;
    private final @Nullable QueryPlanner planner;
    private final FanOutListener listener;
    private final Map<String, MapView> views = new ConcurrentHashMap<>();
    private final Cache<PlanKey, FanOutPlan> plans =
            Caffeine.newBuilder().maximumSize(MAX_PLANS).executor(Runnable::run).build();

    /** Creates it over the pools of a router, which stay the router's to close. No thread runs before the first query. */
    public FanOuts(ServerPools pools, FanOutListener listener) {
        this(
                pools,
                listener,
                ServiceLoader.load(QueryPlanner.class, QueryPlanner.class.getClassLoader())
                        .findFirst()
                        .orElse(null));
    }

    FanOuts(ServerPools pools, @Nullable QueryPlanner planner) {
        this(pools, FanOutListener.NONE, planner);
    }

    FanOuts(ServerPools pools, FanOutListener listener, @Nullable QueryPlanner planner) {
        this.listener = listener;
        this.pools = pools;
        this.planner = planner;
        this.runs = new Runs(pools, workers, background, watchdog);
        this.executor = new FanOutExecutor(pools, runs);
        this.coordinated = new CoordinatedExecutor(pools, runs);
        this.updates = new UpdateExecutor(pools, runs);
    }

    /** Returns a fan-out with default settings over the map of a resolver. */
    public FanOut over(ShardResolver resolver) {
        return new FanOut(this, resolver, FanOutSettings.DEFAULT);
    }

    /** Ends the threads when they are idle. Running queries end with the pools. */
    @Override
    public void close() {
        watchdog.close();
        workers.shutdown();
        background.shutdown();
    }

    FanOutResult query(ShardResolver resolver, FanOutSettings settings, String sql, List<@Nullable Object> parameters)
            throws SQLException {
        String map = resolver.map().name();
        long start = System.nanoTime();
        listener.started(map);
        Outcome outcome = Outcome.ERROR;
        FanOutResult result = null;
        try {
            result = answer(resolver, settings, sql, parameters).tellingEnd(listener, map, start);
            return result;
        } catch (SQLTimeoutException late) {
            outcome = Outcome.TIMEOUT;
            throw late;
        } finally {
            if (result == null) {
                listener.ended(map, outcome, System.nanoTime() - start, 0, List.of());
            }
        }
    }

    private FanOutResult answer(
            ShardResolver resolver, FanOutSettings settings, String sql, List<@Nullable Object> parameters)
            throws SQLException {
        MapView first = view(resolver.map());
        if (settings.snapshot() && first.product() == SqlProduct.H2) {
            throw SqlErrors.notSupported("snapshot of all servers needs PostgreSQL servers: map="
                    + first.map().name() + ", servers=H2; call it without snapshot()");
        }
        if (plan(sql, first) instanceof FanOutPlan.Coordinated) {
            return coordinated(resolver, settings, sql, parameters);
        }
        try {
            return merged(resolver, settings, sql, parameters);
        } catch (SQLFeatureNotSupportedException refused) {
            MapView view = view(resolver.map());
            boolean planned = plan(sql, view) instanceof FanOutPlan.Coordinated
                    || (refused.getCause() instanceof UnprovableOrder order
                            && planWithoutMerge(sql, view, String.valueOf(order.getMessage())));
            if (planned) {
                return coordinated(resolver, settings, sql, parameters);
            }
            throw refused;
        }
    }

    UpdateReport update(ShardResolver resolver, FanOutSettings settings, String sql, List<@Nullable Object> parameters)
            throws SQLException {
        return updates.update(resolver, this::view, settings, sql, parameters);
    }

    private FanOutResult coordinated(
            ShardResolver resolver, FanOutSettings settings, String sql, List<@Nullable Object> parameters)
            throws SQLException {
        return coordinated.query(
                resolver,
                this::view,
                view -> coordinatedPlan(sql, view),
                settings,
                arrays(parameters, resolver.map().keyType()));
    }

    /** The coordinator needs the rows of all servers, and gets a list of keys as an array. */
    private static List<@Nullable Object> arrays(List<@Nullable Object> parameters, KeyType type) {
        List<@Nullable Object> values = new ArrayList<>(parameters);
        values.replaceAll(
                value -> value instanceof ShardKeys keys ? ShardKeys.array(type, keys.canonical(type)) : value);
        return values;
    }

    /** A newer generation of the map has no plan yet, or one that merges: it was not known yet that this cannot be done. */
    private FanOutPlan.Coordinated coordinatedPlan(String sql, MapView view) throws SQLException {
        FanOutPlan plan = plan(sql, view);
        if (plan instanceof FanOutPlan.Ready && planWithoutMerge(sql, view, "its types cannot be merged")) {
            plan = plan(sql, view);
        }
        if (plan instanceof FanOutPlan.Coordinated found) {
            return found;
        }
        throw SqlErrors.notSupported("query must have a plan: plan=" + plan.describe());
    }

    private FanOutResult merged(
            ShardResolver resolver, FanOutSettings settings, String sql, List<@Nullable Object> parameters)
            throws SQLException {
        FanOutExecutor.Started started =
                executor.start(resolver, this::view, view -> readyPlan(sql, view), settings, parameters);
        FanOutRun run = started.run();
        Runnable release = () -> runs.end(run, settings);
        FanOutRows rows = ResultMerger.merge(run, started.query(), release);
        return new FanOutResult(started.query().plan(), run, rows);
    }

    FanOutPlan plan(String sql, MapView view) {
        PlanKey key = new PlanKey(sql, view.map().name(), view.map().generation());
        FanOutPlan plan = plans.getIfPresent(key);
        if (plan == null) {
            plan = FanOutPlanner.plan(sql, view.map(), view.product());
            if (plan instanceof FanOutPlan.Refusal refusal) {
                plan = planner == null
                        ? refusal.advising(ADD_PLANNER)
                        : planner.plan(request(sql, view, refusal.construct(), true));
            }
            plans.put(key, plan);
        }
        return plan;
    }

    /** Plans a query again without merging, because the servers' types cannot be merged; returns whether there is such a plan. */
    private boolean planWithoutMerge(String sql, MapView view, String refused) {
        if (planner == null
                || !(planner.plan(request(sql, view, refused, false)) instanceof FanOutPlan.Coordinated plan)) {
            return false;
        }
        plans.put(new PlanKey(sql, view.map().name(), view.map().generation()), plan);
        return true;
    }

    private static QueryPlanner.Request request(String sql, MapView view, String refused, boolean streaming) {
        return new QueryPlanner.Request(sql, view.map(), view.product(), refused, streaming);
    }

    private FanOutPlan.Ready readyPlan(String sql, MapView view) throws SQLException {
        FanOutPlan plan = plan(sql, view);
        if (plan instanceof FanOutPlan.Ready ready) {
            return ready;
        }
        if (plan instanceof FanOutPlan.Refusal refusal) {
            throw FanOutExecutor.refusal(refusal);
        }
        throw SqlErrors.notSupported("query needs a coordinator since the map changed: plan=" + plan.describe());
    }

    MapView view(ShardMap map) throws SQLException {
        MapView view = views.get(map.name());
        if (view == null || view.map() != map) {
            view = MapView.of(map, pools);
            views.put(map.name(), view);
        }
        return view;
    }

    private static ExecutorService threads(String prefix, int most) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory = work -> {
            Thread thread = new Thread(work, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        return new ThreadPoolExecutor(0, most, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }
}
