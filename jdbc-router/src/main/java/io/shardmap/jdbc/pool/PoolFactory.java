package io.shardmap.jdbc.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.Server;
import javax.sql.DataSource;

/**
 * Makes the pool of a server, for those who have to use another pool than HikariCP. Called once per server that is used, by the thread
 * that uses it first. A pool that is {@link AutoCloseable} is closed with the router, or when its server has left the map: one of
 * HikariCP when its last connection was given back, another one a refresh interval later.
 */
@FunctionalInterface
public interface PoolFactory {
    /** Makes HikariCP pools, the default. */
    PoolFactory HIKARI = (server, settings) -> new HikariDataSource(settings);

    /**
     * Makes a pool.
     *
     * @param server the server, for its name and region
     * @param settings URL, user, password and size in HikariCP's terms, as the customizer of the router left them; holds a secret
     */
    DataSource create(Server server, HikariConfig settings);
}
