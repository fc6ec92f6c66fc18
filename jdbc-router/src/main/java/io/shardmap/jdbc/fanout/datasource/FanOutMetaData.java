package io.shardmap.jdbc.fanout.datasource;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.RowSetProvider;
import org.jspecify.annotations.Nullable;

/**
 * What one server says of itself, except for what a connection over all servers cannot do. Each call borrows a connection of the server;
 * lists are copied, so that none stays open.
 */
final class FanOutMetaData implements InvocationHandler {
    private final Abilities abilities;
    private final FanOutDataSource.OneServer server;

    private FanOutMetaData(Abilities abilities, FanOutDataSource.OneServer server) {
        this.abilities = abilities;
        this.server = server;
    }

    static DatabaseMetaData of(Connection connection, FanOutDataSource.OneServer server) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                FanOutMetaData.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                new FanOutMetaData(new Abilities(connection), server));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "metadata of one server of the map";
                };
            }
            if (method.getDeclaringClass() == java.sql.Wrapper.class && arguments != null) {
                return Facade.ofWrapper(proxy, method, arguments);
            }
            Method own = abilities(method);
            if (own != null) {
                return own.invoke(abilities, arguments);
            }
            try (Connection borrowed = server.open()) {
                Object answer = method.invoke(borrowed.getMetaData(), arguments);
                return answer instanceof ResultSet rows ? copy(rows) : answer;
            }
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    private static @Nullable Method abilities(Method wanted) {
        try {
            return Abilities.class.getMethod(wanted.getName(), wanted.getParameterTypes());
        } catch (NoSuchMethodException theServers) {
            return null;
        }
    }

    private static ResultSet copy(ResultSet rows) throws SQLException {
        try (rows) {
            CachedRowSet copy = RowSetProvider.newFactory().createCachedRowSet();
            copy.populate(rows);
            return copy;
        }
    }

    /** What differs from a server, as methods of {@link DatabaseMetaData}. */
    @SuppressWarnings("unused") // called by name
    static final class Abilities {
        private final Connection connection;

        Abilities(Connection connection) {
            this.connection = connection;
        }

        public Connection getConnection() {
            return connection;
        }

        public @Nullable String getURL() {
            return null;
        }

        public boolean isReadOnly() {
            return true;
        }

        public boolean supportsTransactions() {
            return false;
        }

        public boolean supportsTransactionIsolationLevel(int level) {
            return level == Connection.TRANSACTION_READ_COMMITTED;
        }

        public int getDefaultTransactionIsolation() {
            return Connection.TRANSACTION_READ_COMMITTED;
        }

        public boolean supportsSavepoints() {
            return false;
        }

        public boolean supportsBatchUpdates() {
            return false;
        }

        public boolean supportsStoredProcedures() {
            return false;
        }

        public boolean supportsGetGeneratedKeys() {
            return false;
        }

        public boolean supportsMultipleResultSets() {
            return false;
        }

        public boolean supportsResultSetType(int type) {
            return type == ResultSet.TYPE_FORWARD_ONLY;
        }

        public boolean supportsResultSetConcurrency(int type, int concurrency) {
            return type == ResultSet.TYPE_FORWARD_ONLY && concurrency == ResultSet.CONCUR_READ_ONLY;
        }

        public boolean supportsResultSetHoldability(int holdability) {
            return holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT;
        }

        public int getResultSetHoldability() {
            return ResultSet.HOLD_CURSORS_OVER_COMMIT;
        }
    }
}
