package io.shardmap.migrate.move;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.pool.ServerPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** How the source is reached: by the mover for replication, and by the target for its subscription. Holds a password; never printed. */
final class SourceAddress {
    private final String url;
    private final Properties login;
    private final @Nullable String urlForTarget;

    private SourceAddress(String url, Properties login, @Nullable String urlForTarget) {
        this.url = url;
        this.login = login;
        this.urlForTarget = urlForTarget;
    }

    /** Returns the address of a server that publishes; {@code urlForTarget} is null for the one in the map. */
    static SourceAddress of(ServerPools pools, Server source, @Nullable String urlForTarget) {
        HikariDataSource pool = pools.pool(source);
        Properties login = new Properties();
        login.putAll(pool.getDataSourceProperties());
        if (pool.getUsername() != null) {
            PGProperty.USER.set(login, pool.getUsername());
        }
        if (pool.getPassword() != null) {
            PGProperty.PASSWORD.set(login, pool.getPassword());
        }
        return new SourceAddress(
                pools.url(source), login, urlForTarget == null ? source.replicationUrl() : urlForTarget);
    }

    /** Opens a connection that speaks the replication protocol. */
    Connection openReplication(String applicationName) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(login);
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "15");
        PGProperty.APPLICATION_NAME.set(properties, applicationName);
        Connection connection = new Driver().connect(url, properties);
        if (connection == null) {
            throw new SQLException("URL must be one of PostgreSQL", "08001");
        }
        return connection;
    }

    /** Returns the connection string of the subscription, with the password. */
    String forSubscription() {
        String seen = urlForTarget == null ? url : urlForTarget;
        Properties parts = Driver.parseURL(seen, login);
        if (parts == null) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "URL of the source must be one of PostgreSQL; correct it");
        }
        StringBuilder text = new StringBuilder();
        append(text, "host", PGProperty.PG_HOST.getOrDefault(parts));
        append(text, "port", PGProperty.PG_PORT.getOrDefault(parts));
        append(text, "dbname", PGProperty.PG_DBNAME.getOrDefault(parts));
        append(text, "user", PGProperty.USER.getOrDefault(parts));
        append(text, "password", PGProperty.PASSWORD.getOrDefault(parts));
        String ssl = PGProperty.SSL_MODE.getOrDefault(parts);
        append(text, "sslmode", ssl == null && PGProperty.SSL.getBoolean(parts) ? "verify-full" : ssl);
        append(text, "connect_timeout", "10");
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(name)
                    .append("='")
                    .append(value.replace("\\", "\\\\").replace("'", "\\'"))
                    .append('\'');
        }
    }

    @Override
    public String toString() {
        return "SourceAddress[***]";
    }
}
