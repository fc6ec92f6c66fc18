package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.forwarding.ForwardingConnection;
import io.shardmap.jdbc.server.TransactionStatus;
import io.shardmap.resolve.ShardResolver;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection to whatever server holds one virtual shard, in STRICT mode: the JDBC face of {@link StatementRunner}, which runs its
 * statements, and of {@link Attachment}, which holds the physical connection. Used by one thread at a time, like every connection.
 */
final class RoutedConnection extends ForwardingConnection {
    private final RoutedConnections factory;
    private final ShardResolver resolver;
    private final Attachment place;
    private final StatementRunner runner;

    RoutedConnection(RoutedConnections factory, ShardResolver resolver, Route route) {
        this.factory = factory;
        this.resolver = resolver;
        this.place = new Attachment(factory, resolver, route);
        this.runner = new StatementRunner(factory.config(), place);
    }

    StatementTexts.Text text(String sql) {
        return factory.texts().of(sql);
    }

    StatementRunner runner() {
        return runner;
    }

    /** Returns whether a physical statement belongs to the connection that is attached now. */
    boolean isAttached(@Nullable Connection on) {
        return on != null && on == place.current();
    }

    @Override
    protected Connection delegate() throws SQLException {
        return place.attach();
    }

    @Override
    public void close() throws SQLException {
        Connection on = place.close();
        if (on == null) {
            return;
        }
        try (on) {
            if (!on.isClosed()) {
                cleanUp(on);
            }
        }
    }

    private void cleanUp(Connection on) throws SQLException {
        boolean discard = runner.isPinned()
                && factory.config().discardOnClose()
                && place.dialect().oneRoundTrip();
        boolean open = place.dialect().transactionStatus(on) != TransactionStatus.IDLE;
        if (!place.autoCommit() && discard) {
            on.rollback();
            on.setAutoCommit(true);
        } else if (place.autoCommit() && open && place.dialect().oneRoundTrip()) {
            execute(on, "rollback");
        }
        if (discard) {
            execute(on, "discard all");
        }
    }

    private static void execute(Connection on, String sql) throws SQLException {
        try (Statement statement = on.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public boolean isClosed() {
        return place.isClosed();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        Connection on = place.close();
        if (on != null) {
            on.abort(executor);
        }
    }

    // Transactions

    @Override
    public boolean getAutoCommit() {
        return place.autoCommit();
    }

    @Override
    public void setAutoCommit(boolean flag) throws SQLException {
        place.requireOpen();
        if (place.autoCommit() != flag) {
            place.setAutoCommit(flag);
            runner.transactionEnded();
        }
    }

    @Override
    public void commit() throws SQLException {
        requireManual("commit");
        Connection on = place.current();
        if (on != null) {
            on.commit();
        }
        runner.transactionEnded();
    }

    @Override
    public void rollback() throws SQLException {
        requireManual("rollback");
        Connection on = place.current();
        if (on != null) {
            on.rollback();
        }
        runner.transactionEnded();
    }

    private void requireManual(String call) throws SQLException {
        place.requireOpen();
        if (place.autoCommit()) {
            throw new SQLException(call + " needs autocommit to be off: call setAutoCommit(false) first", "25P01");
        }
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return runner.afterEntering((form, on, at) -> on.setSavepoint());
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return runner.afterEntering((form, on, at) -> on.setSavepoint(name));
    }

    @Override
    public void setReadOnly(boolean flag) throws SQLException {
        place.requireOpen();
        if (runner.inTransaction()) {
            throw new SQLException("read-only must be set before the transaction begins", "25001");
        }
        runner.setReadOnly(flag);
    }

    @Override
    public boolean isReadOnly() {
        return runner.isReadOnly();
    }

    // Settings that follow the connection to another server

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        place.set("isolation", on -> on.setTransactionIsolation(level));
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        place.set("schema", on -> on.setSchema(schema));
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        place.set("catalog", on -> on.setCatalog(catalog));
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        place.set("holdability", on -> on.setHoldability(holdability));
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        place.set("typeMap", on -> on.setTypeMap(map));
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        place.set("networkTimeout", on -> on.setNetworkTimeout(executor, milliseconds));
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        clientInfo("clientInfo " + name, on -> on.setClientInfo(name, value));
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        clientInfo("clientInfo", on -> on.setClientInfo(properties));
    }

    private void clientInfo(String name, Attachment.Setting setting) throws SQLClientInfoException {
        try {
            place.set(name, setting);
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), e.getErrorCode(), Map.of(), e);
        }
    }

    // Statements

    @Override
    public Statement createStatement() throws SQLException {
        return statement(ResultShape.DEFAULT);
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return statement(ResultShape.of(type, concurrency));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return statement(new ResultShape(type, concurrency, holdability));
    }

    private Statement statement(ResultShape shape) throws SQLException {
        place.requireOpen();
        return new RoutedStatement(this, shape);
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.NONE);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepared(ResultShape.of(type, concurrency), sql, KeyRequest.NONE);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepared(new ResultShape(type, concurrency, holdability), sql, KeyRequest.NONE);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.of(autoGeneratedKeys));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.of(columnIndexes));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.of(columnNames));
    }

    private PreparedStatement prepared(ResultShape shape, String sql, KeyRequest keys) throws SQLException {
        place.requireOpen();
        return new RoutedPreparedStatement(this, shape, sql, keys);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return call(ResultShape.DEFAULT, sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return call(ResultShape.of(type, concurrency), sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return call(new ResultShape(type, concurrency, holdability), sql);
    }

    private CallableStatement call(ResultShape shape, String sql) throws SQLException {
        place.requireOpen();
        return new RoutedCallableStatement(this, shape, sql);
    }

    @Override
    public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
        place.requireOpen();
        return new DetachedArray(typeName, elements);
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return RoutedMetaData.of(place.attach().getMetaData(), this);
    }

    // JDBC 4.3 requests: hints for a pool, which must not cost a connection

    @Override
    public void beginRequest() throws SQLException {
        place.requireOpen();
        Connection on = place.current();
        if (on != null) {
            on.beginRequest();
        }
    }

    @Override
    public void endRequest() throws SQLException {
        place.requireOpen();
        Connection on = place.current();
        if (on != null) {
            on.endRequest();
        }
    }

    // JDBC 4.3 sharding

    @Override
    public void setShardingKey(ShardingKey key) throws SQLException {
        Route next = routeOf(key);
        Route route = place.route();
        if (next.virtualShard() == route.virtualShard()) {
            return;
        }
        if (runner.inTransaction()) {
            throw SqlErrors.notSupported(
                    "sharding key must not change inside a transaction: map=" + route.map() + ", from="
                            + route.virtualShard() + ", to=" + next.virtualShard()
                            + "; end the transaction first, or ask setShardingKeyIfValid");
        }
        if (!next.server().equals(route.server())) {
            runner.requireUnpinned("when its key changes");
            place.detach();
        }
        place.become(next);
    }

    @Override
    public void setShardingKey(ShardingKey key, ShardingKey superKey) throws SQLException {
        refuseSuperKey(superKey);
        setShardingKey(key);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, int timeoutSeconds) throws SQLException {
        if (timeoutSeconds < 0) {
            throw new SQLException("timeout must be >= 0: seconds=" + timeoutSeconds, "22023");
        }
        Route next = routeOf(key);
        boolean inTransaction = runner.inTransaction();
        if (inTransaction && runner.hasEntered(next.virtualShard())) {
            return true;
        }
        if (!next.server().equals(place.route().server())) {
            return false;
        }
        if (inTransaction) {
            return runner.enterAlso(next);
        }
        place.become(next);
        return true;
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, ShardingKey superKey, int timeoutSeconds)
            throws SQLException {
        refuseSuperKey(superKey);
        return setShardingKeyIfValid(key, timeoutSeconds);
    }

    private static void refuseSuperKey(@Nullable ShardingKey superKey) throws SQLException {
        if (superKey != null) {
            throw SqlErrors.notSupported("a shard map has no super sharding key: pass null");
        }
    }

    private Route routeOf(ShardingKey key) throws SQLException {
        place.requireOpen();
        String map = place.route().map();
        if (!(key instanceof RoutingKey routingKey) || !routingKey.map().equals(map)) {
            throw SqlErrors.notSupported("sharding key must come from this data source: map=" + map + ", key=" + key
                    + "; make it with createShardingKeyBuilder()");
        }
        try {
            return resolver.resolve(routingKey.key());
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    // The way to the driver

    /**
     * Gives the driver's own objects, whose statements nobody validates, only inside a transaction that has entered its virtual shard.
     */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        if (place.autoCommit()) {
            throw SqlErrors.notSupported("the driver's connection must be used inside a validated transaction: type="
                    + type.getName() + "; call setAutoCommit(false) first, or use ShardRouter.openServer");
        }
        return runner.afterEntering((form, on, at) -> on.unwrap(type));
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || place.attach().isWrapperFor(type);
    }

    @Override
    public String toString() {
        Route route = place.route();
        return "RoutedConnection[" + route.map() + "/" + route.virtualShard() + " on "
                + route.server().name() + "]";
    }
}
