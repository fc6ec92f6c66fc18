package io.shardmap.jdbc;

import com.zaxxer.hikari.HikariConfig;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutListener;
import io.shardmap.jdbc.fanout.FanOuts;
import io.shardmap.jdbc.fanout.datasource.FanOutDataSource;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.DataSourceDecorator;
import io.shardmap.jdbc.pool.PoolFactory;
import io.shardmap.jdbc.pool.PoolListener;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.routed.RoutedConnections;
import io.shardmap.jdbc.routed.RoutingConfig;
import io.shardmap.jdbc.routed.RoutingListener;
import io.shardmap.jdbc.routed.RoutingMode;
import io.shardmap.resolve.ShardMapCache;
import io.shardmap.resolve.ShardMapCacheConfig;
import io.shardmap.resolve.ShardMapCacheListener;
import io.shardmap.resolve.ShardResolver;
import io.shardmap.store.ShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections by shard key. One router serves all maps of a shard-map database and all threads of an application; it owns the
 * pools of the servers and the cache of the maps.
 *
 * <pre>{@code
 * try (ShardRouter router = ShardRouter.builder(new JdbcShardMapStore(mapDatabase)).build();
 *         Connection connection = router.openConnection("books", "978-8-1130-1024-6")) {
 *     // plain JDBC on the server that holds this key
 * }
 * }</pre>
 */
public final class ShardRouter implements AutoCloseable {
    private final ShardMapCache cache;
    private final ServerPools pools;
    private final RoutedConnections connections;
    private final FanOuts fanOuts;
    private final RoutingMode mode;
    private final RoutingListener listener;
    private final DepartedServers departed;
    private final Map<String, ShardResolver> resolvers = new ConcurrentHashMap<>();

    private ShardRouter(Builder builder) {
        RouterListener told = new RouterListeners(List.copyOf(builder.listeners));
        boolean quiet = builder.listeners.isEmpty();
        this.listener = quiet ? RoutingListener.NONE : told;
        this.pools = new ServerPools(
                builder.urlTemplate,
                builder.credentials,
                builder.pool,
                builder.poolFactory,
                builder.decorator,
                quiet ? PoolListener.NONE : told);
        this.cache = new ShardMapCache(builder.store, builder.cache, new CacheWatch(told));
        this.departed = new DepartedServers(cache, pools);
        this.connections = new RoutedConnections(pools, builder.routing, listener);
        this.fanOuts = new FanOuts(pools, quiet ? FanOutListener.NONE : told);
        this.mode = builder.mode;
    }

    /** The cache begins to refresh at the first use of a map, when all fields are set. */
    private final class CacheWatch implements ShardMapCacheListener {
        private final RouterListener told;

        CacheWatch(RouterListener told) {
            this.told = told;
        }

        @Override
        public void asked(long nanos, @Nullable RuntimeException failure) {
            told.asked(nanos, failure);
        }

        @Override
        public void loaded(ShardMap map) {
            departed.loaded(map);
            told.loaded(map);
        }

        @Override
        public void refreshed() {
            departed.refreshed();
            told.refreshed();
        }
    }

    /** Starts to build a router over a shard-map database. */
    public static Builder builder(ShardMapStore store) {
        return new Builder(store);
    }

    /**
     * Opens a connection to the server that holds a key, in the router's default mode.
     *
     * @param map name of the map
     * @param key a value of the map's key type
     * @throws SQLException 08001 non-transient when the key is in no virtual shard or the map is unknown, 22023 when the value is not
     *     a key of the map, 08006 transient when the shard-map database does not answer
     */
    public Connection openConnection(String map, Object key) throws SQLException {
        return openConnection(map, key, mode);
    }

    /** Like {@link #openConnection(String, Object)}, in the given mode. */
    public Connection openConnection(String map, Object key, RoutingMode chosen) throws SQLException {
        return connections.open(resolver(map), key, chosen);
    }

    /** Like {@link #openConnection(String, Object)} for integral keys, without boxing. */
    public Connection openConnection(String map, long key) throws SQLException {
        return connections.open(resolver(map), key, mode);
    }

    /**
     * Opens a plain connection to a server by name, for what no key can route: VACUUM, maintenance, looking around. Nothing is proven on
     * it.
     *
     * @throws SQLException 08001 when no map of this router names the server, 08006 when it does not answer
     */
    public Connection openServer(String map, String server) throws SQLException {
        try {
            return pools.open(resolver(map).map().server(server));
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    /** Returns the JDBC 4.3 data source of a map: connections by {@code ShardingKey}, for Spring and other frameworks. */
    public ShardDataSource dataSource(String map) {
        return new ShardDataSource(this, map);
    }

    /** Returns a template that runs transactions of a map and repeats what is safe to repeat. */
    public TransactionTemplate transactions(String map) {
        return new TransactionTemplate(this, map, TransactionTemplate.Policy.DEFAULT);
    }

    /** Returns queries over all servers of a map, in parallel, merged into the answer that one database would give. */
    public FanOut fanOut(String map) {
        return fanOuts.over(cache.resolver(map));
    }

    /** Returns a data source without keys, whose queries run on all servers of a map; for tools that only know JDBC. */
    public FanOutDataSource fanOutDataSource(String map) {
        return new FanOutDataSource(fanOut(map), () -> openServer(map, someServer(map)));
    }

    private String someServer(String map) throws SQLException {
        return map(map).placements().keySet().stream()
                .findFirst()
                .orElseThrow(() -> new SQLNonTransientConnectionException(
                        "map must have virtual shards on a server: map=" + map + "; run `shardmap shard assign --map "
                                + map + "`",
                        "08001"));
    }

    /**
     * Returns the resolver of a map: which virtual shard and server a key belongs to, as the cached map says.
     *
     * @throws SQLException when the map is unknown or the shard-map database does not answer at its first use
     */
    public ShardResolver resolver(String map) throws SQLException {
        ShardResolver resolver = resolvers.get(map);
        if (resolver == null) {
            long start = System.nanoTime();
            try {
                ShardResolver made = cache.resolver(map);
                made.map();
                listener.resolved(map, RoutingListener.Resolution.MISS, System.nanoTime() - start);
                resolver = made;
                resolvers.put(map, resolver);
            } catch (ShardMapException refusal) {
                throw SqlErrors.of(refusal);
            }
        }
        return resolver;
    }

    /** Returns the cached generation of a map. */
    public ShardMap map(String map) throws SQLException {
        try {
            return resolver(map).map();
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    /** Returns the maps that were used, as they are cached now, ordered by name. Asks nobody. */
    public List<ShardMap> maps() {
        return cache.cached();
    }

    /** Says that a connection was asked for without a key. */
    void keyMissing(String map) {
        listener.keyMissing(map);
    }

    /** Returns the pools of the servers, for metrics and for tools. */
    public ServerPools pools() {
        return pools;
    }

    /** Closes all pools and stops refreshing maps. Connections that are still open are closed. */
    @Override
    public void close() {
        cache.close();
        fanOuts.close();
        pools.close();
    }

    /** Settings of a router; each has a default. Used by one thread. */
    public static final class Builder {
        private final ShardMapStore store;
        private @Nullable String urlTemplate;
        private Credentials.Provider credentials = server -> Credentials.NONE;
        private Consumer<HikariConfig> pool = config -> {};
        private PoolFactory poolFactory = PoolFactory.HIKARI;
        private DataSourceDecorator decorator = DataSourceDecorator.NONE;
        private final List<RouterListener> listeners = new ArrayList<>();
        private RoutingConfig routing = RoutingConfig.DEFAULT;
        private RoutingMode mode = RoutingMode.STRICT;
        private ShardMapCacheConfig cache = ShardMapCacheConfig.defaults();

        private Builder(ShardMapStore store) {
            this.store = store;
        }

        /** Sets the JDBC URL of servers that have none in the map; {@code {server}} stands for the name. Default: none. */
        public Builder urlTemplate(String template) {
            this.urlTemplate = template;
            return this;
        }

        /** Sets where user and password of a server come from. Default: left to the driver, such as `.pgpass`. */
        public Builder credentials(Credentials.Provider provider) {
            this.credentials = provider;
            return this;
        }

        /** Sets one user and password for all servers. */
        public Builder credentials(@Nullable String user, @Nullable String password) {
            return credentials(server -> new Credentials(user, password));
        }

        /** Changes a pool's HikariCP settings before it is made, after what was set before. Default: at most 10 connections, none kept idle, 3 s to connect. */
        public Builder pool(Consumer<HikariConfig> customizer) {
            this.pool = pool.andThen(customizer);
            return this;
        }

        /** Sets who makes the pools. Default: HikariCP. */
        public Builder poolFactory(PoolFactory factory) {
            this.poolFactory = factory;
            return this;
        }

        /** Puts something in front of each server's pool, outside of what was put there before. Default: nothing. */
        public Builder decorate(DataSourceDecorator outer) {
            this.decorator = decorator.then(outer);
            return this;
        }

        /** Adds a listener. Default: none. */
        public Builder listener(RouterListener added) {
            listeners.add(added);
            return this;
        }

        /** Sets how routed connections wait and clean up. Default: {@link RoutingConfig#DEFAULT}. */
        public Builder routing(RoutingConfig config) {
            this.routing = config;
            return this;
        }

        /** Sets the mode of {@link ShardRouter#openConnection(String, Object)}. Default: STRICT. */
        public Builder mode(RoutingMode chosen) {
            this.mode = chosen;
            return this;
        }

        /** Sets how the maps are cached. Default: {@link ShardMapCacheConfig#defaults()}. */
        public Builder cache(ShardMapCacheConfig config) {
            this.cache = config;
            return this;
        }

        /** Builds the router. No database is asked yet. */
        public ShardRouter build() {
            return new ShardRouter(this);
        }
    }
}
