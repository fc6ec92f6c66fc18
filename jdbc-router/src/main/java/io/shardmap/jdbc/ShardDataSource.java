package io.shardmap.jdbc;

import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.routed.RoutingKey;
import io.shardmap.key.ShardKey;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLType;
import java.sql.ShardingKey;
import java.sql.ShardingKeyBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC 4.3 data source of one map: {@code createConnectionBuilder().shardingKey(key).build()}. Spring's {@code
 * ShardingKeyDataSourceAdapter} works on top of it unchanged. Safe for use by many threads.
 */
public final class ShardDataSource implements DataSource {
    private final ShardRouter router;
    private final String map;

    ShardDataSource(ShardRouter router, String map) {
        this.router = router;
        this.map = map;
    }

    /** Refuses: a connection needs a key. */
    @Override
    public Connection getConnection() throws SQLException {
        router.keyMissing(map);
        throw SqlErrors.notSupported(
                "connection of a sharded data source must have a sharding key: map=" + map
                        + "; use createConnectionBuilder().shardingKey(key).build(), or put Spring's ShardingKeyDataSourceAdapter in front");
    }

    /** Refuses: connections come from pools, whose credentials belong to the router. */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw perConnectionCredentials();
    }

    private static SQLException perConnectionCredentials() {
        return SqlErrors.notSupported(
                "credentials must be set on the router: pooled connections cannot have a user and password each");
    }

    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() {
        return new KeyBuilder();
    }

    @Override
    public ConnectionBuilder createConnectionBuilder() {
        return new RoutedConnectionBuilder();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("Shardmap logs to SLF4J", "0A000");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("set the connection timeout of the pools on the router", "0A000");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Shardmap logs to SLF4J", "0A000");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("data source must be of the type asked for: type=" + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    /** Collects the parts of a key; everything is checked when it is built, because adding a part cannot fail. */
    private final class KeyBuilder implements ShardingKeyBuilder {
        private record Part(
                @Nullable Object value, @Nullable SQLType type) {}

        private final List<Part> parts = new ArrayList<>();

        @Override
        public ShardingKeyBuilder subkey(Object subkey, SQLType subkeyType) {
            parts.add(new Part(subkey, subkeyType));
            return this;
        }

        @Override
        public ShardingKey build() throws SQLException {
            if (parts.size() != 1) {
                throw SqlErrors.notSupported("key of map " + map + " must have one part: parts=" + parts.size());
            }
            Part part = parts.get(0);
            Object value = part.value();
            try {
                var keyType = router.map(map).keyType();
                ShardKey key = value instanceof String text && part.type() == JDBCType.VARCHAR
                        ? keyType.parse(text)
                        : keyType.canonical(value);
                return new RoutingKey(map, key);
            } catch (ShardMapException refusal) {
                throw SqlErrors.of(refusal);
            }
        }
    }

    private final class RoutedConnectionBuilder implements ConnectionBuilder {
        private @Nullable ShardingKey key;
        private @Nullable ShardingKey superKey;
        private @Nullable String user;
        private @Nullable String password;

        @Override
        public ConnectionBuilder user(String username) {
            this.user = username;
            return this;
        }

        @Override
        public ConnectionBuilder password(String secret) {
            this.password = secret;
            return this;
        }

        @Override
        public ConnectionBuilder shardingKey(ShardingKey shardingKey) {
            this.key = shardingKey;
            return this;
        }

        @Override
        public ConnectionBuilder superShardingKey(ShardingKey superShardingKey) {
            this.superKey = superShardingKey;
            return this;
        }

        @Override
        public Connection build() throws SQLException {
            if (user != null || password != null) {
                throw perConnectionCredentials();
            }
            if (superKey != null) {
                throw SqlErrors.notSupported("a shard map has no super sharding key: pass null");
            }
            if (key == null) {
                return getConnection();
            }
            if (!(key instanceof RoutingKey routingKey) || !routingKey.map().equals(map)) {
                throw SqlErrors.notSupported("sharding key must come from this data source: map=" + map + ", key=" + key
                        + "; make it with createShardingKeyBuilder()");
            }
            return router.openConnection(map, routingKey.key());
        }
    }
}
