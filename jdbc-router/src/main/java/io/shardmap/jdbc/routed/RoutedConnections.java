package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.resolve.ShardResolver;
import java.sql.Connection;
import java.sql.SQLException;

/** Makes routed connections over the pools of a router. Safe for use by many threads. */
public final class RoutedConnections {
    private final ServerPools pools;
    private final RoutingConfig config;
    private final StatementTexts texts = new StatementTexts();
    private final GuardedServers guards = new GuardedServers();

    /** Creates the factory. */
    public RoutedConnections(ServerPools pools, RoutingConfig config) {
        this.pools = pools;
        this.config = config;
    }

    /**
     * Opens a connection for a key. In STRICT mode no server is asked before the first statement.
     *
     * @throws SQLException when the key belongs to no virtual shard, or in TRUST mode its server does not answer
     */
    public Connection open(ShardResolver resolver, Object key, RoutingMode mode) throws SQLException {
        Route route;
        try {
            route = resolver.resolve(key);
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
        return open(resolver, route, mode);
    }

    /** Like {@link #open(ShardResolver, Object, RoutingMode)} for integral keys, without boxing. */
    public Connection open(ShardResolver resolver, long key, RoutingMode mode) throws SQLException {
        Route route;
        try {
            route = resolver.resolve(key);
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
        return open(resolver, route, mode);
    }

    private Connection open(ShardResolver resolver, Route route, RoutingMode mode) throws SQLException {
        return switch (mode) {
            case STRICT -> new RoutedConnection(this, resolver, route);
            case TRUST -> new TrustedConnection(this, resolver, route);
        };
    }

    ServerPools pools() {
        return pools;
    }

    RoutingConfig config() {
        return config;
    }

    StatementTexts texts() {
        return texts;
    }

    GuardedServers guards() {
        return guards;
    }
}
