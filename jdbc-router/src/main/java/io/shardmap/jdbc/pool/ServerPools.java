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
import java.util.stream.Collectors;
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
    private final Map<Server, HikariDataSource> pools = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Creates the registry; no pool yet.
     *
     * @param urlTemplate JDBC URL with the placeholder {@code {server}} for servers without a URL in the map, or null
     * @param credentials names user and password of each server
     * @param customizer changes a pool's settings before it is made; called once per server
     */
    public ServerPools(
            @Nullable String urlTemplate, Credentials.Provider credentials, Consumer<HikariConfig> customizer) {
        this.urlTemplate = urlTemplate;
        this.credentials = credentials;
        this.customizer = customizer;
    }

    /**
     * Takes a connection from the pool of a server.
     *
     * @throws SQLException {@link java.sql.SQLTransientConnectionException} when none is free or the server does not answer in time
     */
    public Connection open(Server server) throws SQLException {
        return pool(server).getConnection();
    }

    /** Returns the pool of a server, making it if this is the first use. */
    public HikariDataSource pool(Server named) {
        Server server = pooled(named);
        HikariDataSource pool = pools.get(server);
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

    /** Closes the pools of all servers but these: of servers that left the map, or whose URL changed. */
    public void retain(Set<Server> servers) {
        Set<Server> kept = servers.stream().map(ServerPools::pooled).collect(Collectors.toSet());
        pools.forEach((server, pool) -> {
            if (!kept.contains(server) && pools.remove(server, pool)) {
                LOG.info("closing the pool of a server that left the map: server={}", server.name());
                pool.close();
            }
        });
    }

    /** Returns the servers that have a pool now. */
    public Set<Server> open() {
        return Set.copyOf(pools.keySet());
    }

    /** How servers replicate is nothing to a pool: a change of it must not close one. */
    private static Server pooled(Server server) {
        return server.replicationUrl() == null ? server : new Server(server.name(), server.url(), server.region());
    }

    private HikariDataSource make(Server server) {
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
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        closed = true;
        retain(Set.of());
    }
}
