package io.shardmap.spring;

import com.zaxxer.hikari.HikariConfig;
import io.shardmap.Server;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.spring.ShardmapProperties.Pool;
import io.shardmap.spring.ShardmapProperties.ServerSettings;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Credentials and pool settings of single servers, from the properties. */
final class ServerPoolSettings implements Credentials.Provider, Consumer<HikariConfig> {
    private static final String PREFIX = "shardmap-";

    private final ShardmapProperties properties;

    ServerPoolSettings(ShardmapProperties properties) {
        this.properties = properties;
    }

    @Override
    public Credentials of(Server server) {
        ServerSettings own = properties.servers().get(server.name());
        return own != null && own.username() != null
                ? new Credentials(own.username(), own.password())
                : new Credentials(properties.username(), properties.password());
    }

    /** The pools of a router are named after their servers. */
    @Override
    public void accept(HikariConfig config) {
        apply(properties.pool(), config);
        ServerSettings own = properties.servers().get(config.getPoolName().substring(PREFIX.length()));
        if (own != null && own.pool() != null) {
            apply(own.pool(), config);
        }
    }

    private static void apply(Pool pool, HikariConfig config) {
        set(pool.maximumPoolSize(), config::setMaximumPoolSize);
        set(pool.minimumIdle(), config::setMinimumIdle);
        set(pool.connectionTimeout(), (Duration value) -> config.setConnectionTimeout(value.toMillis()));
        set(pool.idleTimeout(), (Duration value) -> config.setIdleTimeout(value.toMillis()));
        set(pool.maxLifetime(), (Duration value) -> config.setMaxLifetime(value.toMillis()));
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }
}
