package io.shardmap.spring;

import io.shardmap.jdbc.routed.RoutingMode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sharded data source.
 *
 * @param map shard-map database and map
 * @param mode whether servers prove that they own a key (STRICT), or are trusted for reads (TRUST)
 * @param fenceWait longest time that a statement waits for a virtual shard that is changing server
 * @param username user of all servers that have none of their own
 * @param password password of all servers that have no user of their own; left to the driver when missing
 * @param urlTemplate JDBC URL of servers without one in the map; "{server}" stands for the name
 * @param cache how fresh the map is kept
 * @param pool pools of all servers
 * @param servers what is different for single servers, by their names
 */
@ConfigurationProperties("shardmap")
public record ShardmapProperties(
        @DefaultValue ShardMapDatabase map,
        @DefaultValue("strict") RoutingMode mode,
        @DefaultValue("30s") Duration fenceWait,
        @Nullable String username,
        @Nullable String password,
        @Nullable String urlTemplate,
        @DefaultValue Cache cache,
        @DefaultValue Pool pool,
        @DefaultValue Map<String, ServerSettings> servers) {

    /** Copies the servers. */
    public ShardmapProperties {
        servers = Map.copyOf(servers);
    }

    /**
     * The shard-map database and the map to route.
     *
     * @param name name of the map; the sharded data source is made only when it is set
     * @param url JDBC URL of the shard-map database
     * @param username user of the shard-map database; reading is enough
     * @param password password of the shard-map database; left to the driver when missing
     */
    public record ShardMapDatabase(
            @Nullable String name,
            @Nullable String url,
            @Nullable String username,
            @Nullable String password) {
        @Override
        public String toString() {
            return "ShardMapDatabase[name=" + name + ", url=" + url + "]";
        }
    }

    /**
     * How fresh the map is kept.
     *
     * @param refreshInterval time between two questions whether the map has changed
     */
    public record Cache(@DefaultValue("2s") Duration refreshInterval) {}

    /**
     * Settings of pools. Names are those of HikariCP.
     *
     * @param maximumPoolSize most connections to one server; 10 when missing
     * @param minimumIdle connections that are kept open without use; 0 when missing
     * @param connectionTimeout longest wait for a connection; 3 s when missing
     * @param idleTimeout how long a connection may be unused before it is closed; 10 min when missing
     * @param maxLifetime longest life of a connection; 30 min when missing
     */
    public record Pool(
            @Nullable Integer maximumPoolSize,
            @Nullable Integer minimumIdle,
            @Nullable Duration connectionTimeout,
            @Nullable Duration idleTimeout,
            @Nullable Duration maxLifetime) {}

    /**
     * What is different for one server.
     *
     * @param username user
     * @param password password; left to the driver when missing
     * @param pool its pool; what is missing here is as for all servers
     */
    public record ServerSettings(
            @Nullable String username,
            @Nullable String password,
            @Nullable Pool pool) {
        @Override
        public String toString() {
            return "ServerSettings[username=" + username + ", pool=" + pool + "]";
        }
    }

    @Override
    public String toString() {
        return "ShardmapProperties[map=" + map + ", mode=" + mode + ", servers=" + servers + "]";
    }
}
