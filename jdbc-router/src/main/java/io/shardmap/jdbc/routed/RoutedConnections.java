package io.shardmap.jdbc.routed;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.routed.RoutingListener.Resolution;
import io.shardmap.resolve.ShardResolver;
import java.sql.Connection;
import java.sql.SQLException;

/** Makes routed connections over the pools of a router. Safe for use by many threads. */
public final class RoutedConnections {
    private final ServerPools pools;
    private final RoutingConfig config;
    private final RoutingListener listener;
    private final boolean listening;
    private final StatementTexts texts = new StatementTexts();
    private final GuardedServers guards = new GuardedServers();

    /** Creates the factory. */
    public RoutedConnections(ServerPools pools, RoutingConfig config, RoutingListener listener) {
        this.pools = pools;
        this.config = config;
        this.listener = listener;
        this.listening = listener != RoutingListener.NONE;
    }

    /**
     * Opens a connection for a key. In STRICT mode no server is asked before the first statement.
     *
     * @throws SQLException when the key belongs to no virtual shard, or in TRUST mode its server does not answer
     */
    public Connection open(ShardResolver resolver, Object key, RoutingMode mode) throws SQLException {
        long start = listening ? System.nanoTime() : 0;
        Route route;
        try {
            route = resolver.resolve(key);
        } catch (ShardMapException refusal) {
            throw refused(resolver, start, refusal);
        }
        return open(resolver, route, start, mode);
    }

    /** Like {@link #open(ShardResolver, Object, RoutingMode)} for integral keys, without boxing. */
    public Connection open(ShardResolver resolver, long key, RoutingMode mode) throws SQLException {
        long start = listening ? System.nanoTime() : 0;
        Route route;
        try {
            route = resolver.resolve(key);
        } catch (ShardMapException refusal) {
            throw refused(resolver, start, refusal);
        }
        return open(resolver, route, start, mode);
    }

    private SQLException refused(ShardResolver resolver, long start, ShardMapException refusal) {
        if (listening && (refusal.code() == ErrorCode.UNMAPPED_KEY || refusal.code() == ErrorCode.INVALID_KEY)) {
            listener.resolved(resolver.map().name(), Resolution.ERROR, System.nanoTime() - start);
        }
        return SqlErrors.of(refusal);
    }

    private Connection open(ShardResolver resolver, Route route, long start, RoutingMode mode) throws SQLException {
        if (listening) {
            listener.resolved(route.map(), Resolution.HIT, System.nanoTime() - start);
        }
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

    RoutingListener listener() {
        return listener;
    }

    GuardedServers guards() {
        return guards;
    }
}
