package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.resolve.ShardResolver;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The physical connection behind a routed one: taken from the pool of the route's server when it is first needed. */
final class Attachment {

    /** A setting that every physical connection of the routed one gets. */
    interface Setting {
        void apply(Connection physical) throws SQLException;
    }

    private final RoutedConnections factory;
    private final ShardResolver resolver;
    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private Route route;
    private ServerDialect dialect;
    private @Nullable Connection physical;
    private boolean autoCommit = true;
    private boolean closed;

    Attachment(RoutedConnections factory, ShardResolver resolver, Route route) {
        this.factory = factory;
        this.resolver = resolver;
        this.route = route;
        this.dialect = factory.pools().dialect(route.server());
    }

    Route route() {
        return route;
    }

    ServerDialect dialect() {
        return dialect;
    }

    /** Returns the physical connection if there is one. */
    @Nullable
    Connection current() {
        return physical;
    }

    boolean autoCommit() {
        return autoCommit;
    }

    void setAutoCommit(boolean flag) throws SQLException {
        requireOpen();
        if (physical != null) {
            physical.setAutoCommit(flag);
        }
        autoCommit = flag;
    }

    void set(String name, Setting setting) throws SQLException {
        requireOpen();
        if (physical != null) {
            setting.apply(physical);
        }
        settings.put(name, setting);
    }

    /** Changes the route; the caller detaches first if the server changes. */
    void become(Route next) {
        route = next;
        dialect = factory.pools().dialect(next.server());
    }

    /** Returns where the virtual shard lives as the map says, after asking for a newer map if so told. */
    Route look(boolean refresh) throws SQLException {
        try {
            if (!refresh) {
                return resolver.map().routeOf(route.virtualShard());
            }
            long start = System.nanoTime();
            Route next = resolver.refresh(route.generation()).routeOf(route.virtualShard());
            factory.listener().resolved(route.map(), RoutingListener.Resolution.STALE, System.nanoTime() - start);
            return next;
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    /** Says that the server refused. */
    void refused(Refusal refusal) {
        factory.listener().refused(route, refusal);
    }

    Connection attach() throws SQLException {
        requireOpen();
        Connection on = physical;
        if (on == null) {
            on = borrow();
            try {
                for (Setting setting : settings.values()) {
                    setting.apply(on);
                }
                if (!autoCommit) {
                    on.setAutoCommit(false);
                }
            } catch (SQLException e) {
                on.close();
                throw e;
            }
            physical = on;
        }
        return on;
    }

    private Connection borrow() throws SQLException {
        try {
            return factory.pools().open(route.server());
        } catch (SQLTransientConnectionException unreachable) {
            Route next = look(true);
            if (!next.server().equals(route.server())) {
                become(next);
                return factory.pools().open(route.server());
            }
            throw SqlErrors.unavailable(route, unreachable);
        }
    }

    /** Returns the physical connection, if there is one, to its pool. */
    void detach() throws SQLException {
        Connection on = physical;
        physical = null;
        if (on != null) {
            on.close();
        }
    }

    /** Takes the physical connection away and attaches no other one. */
    @Nullable
    Connection close() {
        closed = true;
        Connection on = physical;
        physical = null;
        return on;
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLNonTransientConnectionException("connection must be open: it has been closed", "08003");
        }
    }
}
