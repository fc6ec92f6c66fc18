package io.shardmap.examples.books;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.Server;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The databases of a catalogue: what an operator configures.
 *
 * @param mapUrl JDBC URL of the shard-map database
 * @param servers the servers that hold the books, with their URLs
 * @param user user of all of them, null to leave it to the driver
 * @param sql the wording of their product
 */
record CatalogueDatabases(
        String mapUrl, List<Server> servers, @Nullable String user, CatalogueSql sql) {
    private static final int MAP_CONNECTIONS = 4;

    CatalogueDatabases {
        servers = List.copyOf(servers);
    }

    /** Opens a small pool to the shard-map database; the caller closes it. */
    HikariDataSource openMapDatabase() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("shard-map-database");
        config.setJdbcUrl(mapUrl);
        config.setUsername(user);
        config.setMaximumPoolSize(MAP_CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** Creates pools for an operator's work on the servers: not the application's, and no router in between. */
    ServerPools operatorPools() {
        return new ServerPools(null, server -> new Credentials(user, null), pool -> {});
    }

    /** Opens a connection to a server as an operator does, with no router in between. */
    Connection open(Server server) throws SQLException {
        Properties login = new Properties();
        if (user != null) {
            login.setProperty("user", user);
        }
        return DriverManager.getConnection(server.url(), login);
    }
}
