package io.shardmap.jdbc.routed;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;

/** Database metadata that gives back the routed connection and says that sharding is supported; all else is the driver's. */
final class RoutedMetaData {
    private RoutedMetaData() {}

    static DatabaseMetaData of(DatabaseMetaData physical, Connection routed) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                RoutedMetaData.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return routed;
                    }
                    if (method.getName().equals("supportsSharding")) {
                        return true;
                    }
                    try {
                        return method.invoke(physical, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
