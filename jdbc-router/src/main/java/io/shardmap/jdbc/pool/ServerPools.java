package io.shardmap.jdbc.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.server.ServerDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HikariCP pool per server, never per virtual shard; made on first use, so a server that is never used costs nothing and a dead one
 * stops nobody. Safe for use by many threads.
 */
public final class ServerPools implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerPools.class);

    private final @Nullable String urlTemplate;
    private final Credentials.Provider credentials;
    private final Consumer<HikariConfig> customizer;
    private final PoolFactory factory;
    private final DataSourceDecorator decorator;
    private final PoolListener listener;
    private final Map<Server, ServerPool> pools = new ConcurrentHashMap<>();
    private final Set<ServerPool> retired = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates the registry of HikariCP pools; no pool yet.
     *
     * @param urlTemplate JDBC URL with the placeholder {@code {server}} for servers without a URL in the map, or null
     * @param credentials names user and password of each server
     * @param customizer changes a pool's settings before it is made; called once per server
     */
    public ServerPools(
            @Nullable String urlTemplate, Credentials.Provider credentials, Consumer<HikariConfig> customizer) {
        this(urlTemplate, credentials, customizer, PoolFactory.HIKARI, DataSourceDecorator.NONE, PoolListener.NONE);
    }

    /** Like {@link #ServerPools(String, Credentials.Provider, Consumer)}, with other pools, something in front of them, a listener. */
    public ServerPools(
            @Nullable String urlTemplate,
            Credentials.Provider credentials,
            Consumer<HikariConfig> customizer,
            PoolFactory factory,
            DataSourceDecorator decorator,
            PoolListener listener) {
        this.urlTemplate = urlTemplate;
        this.credentials = credentials;
        this.customizer = customizer;
        this.factory = factory;
        this.decorator = decorator;
        this.listener = listener;
    }

    /**
     * Takes a connection from the pool of a server.
     *
     * @throws SQLException {@link java.sql.SQLTransientConnectionException} when none is free or the server does not answer in time
     */
    public Connection open(Server server) throws SQLException {
        if (listener == PoolListener.NONE) {
            return take(server);
        }
        long start = System.nanoTime();
        try {
            Connection connection = take(server);
            listener.acquired(server, System.nanoTime() - start, null);
            return connection;
        } catch (SQLException failure) {
            listener.acquired(server, System.nanoTime() - start, failure);
            throw failure;
        }
    }

    private Connection take(Server server) throws SQLException {
        ServerPool pool = serverPool(server);
        try {
            return pool.front().getConnection();
        } catch (SQLException failure) {
            if (closed || !pool.isClosed()) {
                throw failure;
            }
            // It was retired between the look and the call.
            return serverPool(server).front().getConnection();
        }
    }

    /**
     * Returns the HikariCP pool of a server, making it if this is the first use.
     *
     * @throws IllegalStateException when the pool factory made a pool of another kind, or the router is closed
     */
    public HikariDataSource pool(Server server) {
        DataSource made = serverPool(server).made();
        if (made instanceof HikariDataSource hikari) {
            return hikari;
        }
        throw new IllegalStateException("pool must be one of HikariCP for this: server=" + server.name() + ", pool="
                + made.getClass().getName() + "; move virtual shards with pools of their own");
    }

    private ServerPool serverPool(Server named) {
        Server server = pooled(named);
        ServerPool pool = pools.get(server);
        if (pool == null) {
            if (closed) {
                throw new IllegalStateException("router must be open: it has been closed");
            }
            pool = pools.computeIfAbsent(server, this::make);
        }
        return pool;
    }

    /** Returns how to speak to a server. */
    public ServerDialect dialect(Server server) {
        return ServerDialect.of(url(server));
    }

    /**
     * Returns the JDBC URL of a server.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when neither the map nor a template gives one
     */
    public String url(Server server) {
        String url = server.url();
        if (url != null) {
            return url;
        }
        if (urlTemplate == null) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server must have a URL: server=" + server.name()
                            + "; set it with `shardmap server add --url`, or give the router a URL template");
        }
        return urlTemplate.replace("{server}", server.name());
    }

    /**
     * Takes the pools of servers out of use, because the servers left the map or their URL changed: idle connections are closed now, those
     * in use when they are given back, and then the pool. Call it again to close the pools of earlier calls that are not in use any more.
     */
    public void retire(Set<Server> gone) {
        for (Server server : gone) {
            ServerPool pool = pools.remove(pooled(server));
            if (pool != null) {
                LOG.info("draining the pool of a server that left the map: server={}", server.name());
                pool.retire();
                retired.add(pool);
            }
        }
        retired.removeIf(pool -> {
            boolean unused = closed || !pool.isUsed();
            if (unused) {
                pool.close();
            }
            return unused;
        });
    }

    /** Returns whether a connection is ready to be taken; false when the pool is not one of HikariCP. */
    public boolean hasIdle(Server server) {
        return serverPool(server).hasIdle();
    }

    /** Returns whether all connections that a pool may have are in use; false when it is not one of HikariCP. */
    public boolean isExhausted(Server server) {
        return serverPool(server).isExhausted();
    }

    /** Returns the servers that have a pool now. */
    public Set<Server> open() {
        return Set.copyOf(pools.keySet());
    }

    /** How servers replicate is nothing to a pool: a change of it must not close one. */
    private static Server pooled(Server server) {
        return server.replicationUrl() == null ? server : new Server(server.name(), server.url(), server.region());
    }

    private ServerPool make(Server server) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("shardmap-" + server.name());
        config.setJdbcUrl(url(server));
        Credentials login = credentials.of(server);
        config.setUsername(login.user());
        config.setPassword(login.password());
        config.setMinimumIdle(0);
        config.setConnectionTimeout(3_000);
        config.setInitializationFailTimeout(-1);
        customizer.accept(config);
        LOG.info("opening a pool: server={}, maximumPoolSize={}", server.name(), config.getMaximumPoolSize());
        DataSource made = factory.create(server, config);
        return new ServerPool(made, decorator.decorate(server, made));
    }

    @Override
    public void close() {
        closed = true;
        pools.keySet().forEach(server -> {
            ServerPool pool = pools.remove(server);
            if (pool != null) {
                pool.close();
            }
        });
        retired.forEach(ServerPool::close);
        retired.clear();
    }
}
