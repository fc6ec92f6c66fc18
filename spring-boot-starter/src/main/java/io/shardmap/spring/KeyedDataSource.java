package io.shardmap.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.ShardingKey;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;

/**
 * Gives connections for the key in scope, and has them follow it: a transaction keeps its connection whatever becomes the key, so each new
 * statement looks whether the key is still the one the connection has. If it is not, the connection takes the new key, or refuses when a
 * transaction is open that it cannot join.
 */
final class KeyedDataSource extends ShardingKeyDataSourceAdapter {
    private final ShardKeys keys;

    KeyedDataSource(DataSource sharded, ShardKeys keys) {
        super(sharded, keys);
        this.keys = keys;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return following(super.getConnection(), keys.current());
    }

    private Connection following(Connection routed, @Nullable ShardingKey first) {
        ShardingKey[] taken = {first};
        return (Connection) Proxy.newProxyInstance(
                KeyedDataSource.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    String name = method.getName();
                    if (name.equals("equals") && arguments != null && arguments.length == 1) {
                        return proxy == arguments[0];
                    }
                    if (name.startsWith("prepare") || name.equals("createStatement")) {
                        follow(routed, taken);
                    }
                    try {
                        return method.invoke(routed, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private void follow(Connection routed, ShardingKey[] taken) throws SQLException {
        ShardingKey current = keys.current();
        if (current != null && !current.equals(taken[0])) {
            if (!routed.setShardingKeyIfValid(current, 0)) {
                routed.setShardingKey(current);
            }
            taken[0] = current;
        }
    }
}
