package io.shardmap.metrics;

import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.RouterListener;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.ServerOutcome;
import io.shardmap.jdbc.server.Refusal;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a router: routing, pools, refreshes, refusals, queries over servers, what the map looks like. Tags are names of maps and
 * servers, never keys. Safe for use by many threads; one object per router.
 *
 * <pre>{@code
 * ShardRouter router = RouterMetrics.build(ShardRouter.builder(store), registry);
 * }</pre>
 */
public final class RouterMetrics implements RouterListener {
    private final MeterRegistry registry;
    private final MapMeters maps;
    private final AtomicLong answeredAt = new AtomicLong(System.nanoTime());
    private final Map<String, AtomicInteger> up = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> active = new ConcurrentHashMap<>();
    private final Map<Resolved, Timer> resolved = new ConcurrentHashMap<>();

    private record Resolved(String map, Resolution resolution) {}

    /** Creates the meters that need no router yet. */
    public RouterMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.maps = new MapMeters(registry);
        TimeGauge.builder(
                        "shardmap.map.age",
                        answeredAt,
                        TimeUnit.NANOSECONDS,
                        answered -> System.nanoTime() - answered.get())
                .description("Time since the shard-map database last answered: how old the cached maps may be")
                .register(registry);
    }

    /** Adds all meters to a router and builds it. */
    public static ShardRouter build(ShardRouter.Builder builder, MeterRegistry registry) {
        RouterMetrics metrics = new RouterMetrics(registry);
        ShardRouter router = metrics.addTo(builder).build();
        metrics.watch(router);
        return router;
    }

    /** Adds the meters and those of HikariCP's pools to a router that is to be built; {@link #watch} follows. */
    public ShardRouter.Builder addTo(ShardRouter.Builder builder) {
        return builder.listener(this)
                .pool(pool -> pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry)));
    }

    /** Adds the meters of the maps that a router uses. */
    public void watch(ShardRouter router) {
        maps.watch(router);
    }

    @Override
    public void asked(long nanos, @Nullable RuntimeException failure) {
        boolean answered = failure == null
                || (failure instanceof ShardMapException refusal
                        && refusal.code().category() == ErrorCode.Category.CALLER);
        if (answered) {
            answeredAt.set(System.nanoTime());
        }
        Timer.builder("shardmap.map.refresh")
                .description("Questions to the shard-map database, for a map or for what has changed")
                .tag("outcome", failure == null ? "success" : answered ? "refused" : "error")
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void refreshed() {
        maps.update();
    }

    @Override
    public void acquired(Server server, long nanos, @Nullable SQLException failure) {
        String outcome =
                failure == null ? "success" : failure instanceof SQLTransientConnectionException ? "timeout" : "error";
        Timer.builder("shardmap.connections.acquire")
                .description("Taking a connection from the pool of a server")
                .tags("server", server.name(), "outcome", outcome)
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS);
        up.computeIfAbsent(server.name(), this::upGauge).set(failure == null ? 1 : 0);
    }

    private AtomicInteger upGauge(String server) {
        AtomicInteger value = new AtomicInteger();
        Gauge.builder("shardmap.server.up", value, AtomicInteger::get)
                .description("1 when the latest attempt to take a connection succeeded, else 0")
                .tag("server", server)
                .strongReference(true)
                .register(registry);
        return value;
    }

    @Override
    public void resolved(String map, Resolution resolution, long nanos) {
        resolved.computeIfAbsent(new Resolved(map, resolution), this::resolveTimer)
                .record(nanos, TimeUnit.NANOSECONDS);
        if (resolution == Resolution.MISS) {
            maps.update();
        }
    }

    private Timer resolveTimer(Resolved of) {
        return Timer.builder("shardmap.resolve")
                .description("Finding the server of a key; a miss or stale map was loaded first")
                .tags("map", of.map(), "outcome", lower(of.resolution()))
                .register(registry);
    }

    @Override
    public void refused(Route route, Refusal refusal) {
        Counter.builder("shardmap.refusals")
                .description("Statements that a server refused before they ran, which were repeated or waited")
                .tags("map", route.map(), "server", route.server().name(), "reason", lower(refusal))
                .register(registry)
                .increment();
    }

    @Override
    public void keyMissing(String map) {
        Counter.builder("shardmap.key.missing")
                .description("Connections that were asked for without a key")
                .tag("map", map)
                .register(registry)
                .increment();
    }

    @Override
    public void started(String map) {
        activeQueries(map).incrementAndGet();
    }

    private AtomicInteger activeQueries(String map) {
        return active.computeIfAbsent(map, name -> {
            AtomicInteger value = new AtomicInteger();
            Gauge.builder("shardmap.fanout.active", value, AtomicInteger::get)
                    .description("Queries over all servers that hold connections now")
                    .tag("map", name)
                    .strongReference(true)
                    .register(registry);
            return value;
        });
    }

    @Override
    public void ended(String map, Outcome outcome, long nanos, long rows, List<ServerOutcome> servers) {
        activeQueries(map).decrementAndGet();
        Timer.builder("shardmap.fanout")
                .description("Queries over all servers, from the call to the last row")
                .tags("map", map, "outcome", lower(outcome))
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS);
        if (servers.isEmpty()) {
            return;
        }
        summary("shardmap.fanout.shards", "Servers asked by a query", Tags.of("map", map))
                .record(servers.size());
        summary("shardmap.fanout.rows", "Rows that the caller of a query read", Tags.of("map", map))
                .record((double) rows);
        for (ServerOutcome server : servers) {
            Tags tags = Tags.of("map", map, "server", server.server());
            Timer.builder("shardmap.fanout.shard")
                    .description("One server's share of a query")
                    .tags(tags.and("outcome", server.error() == null ? "success" : "error"))
                    .register(registry)
                    .record(server.millis(), TimeUnit.MILLISECONDS);
            summary("shardmap.fanout.shard.rows", "Rows taken from one server by a query", tags)
                    .record((double) server.rows());
        }
    }

    private DistributionSummary summary(String name, String description, Tags tags) {
        return DistributionSummary.builder(name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
