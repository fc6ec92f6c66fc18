package io.shardmap.jdbc.fanout.datasource;

import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOut;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What a connection over all servers can do, as methods of {@link Connection}; {@link Facade} refuses the others. */
@SuppressWarnings("unused") // called by name
final class FanOutConnection {
    private final FanOut fanOut;
    private final Connection self;
    private final DatabaseMetaData metaData;
    private final Set<FanOutStatement> open = ConcurrentHashMap.newKeySet();
    private boolean autoCommit = true;
    private volatile boolean closed;

    private FanOutConnection(FanOut fanOut, FanOutDataSource.OneServer server) {
        this.fanOut = fanOut;
        this.self = Facade.of(Connection.class, this);
        this.metaData = FanOutMetaData.of(self, server);
    }

    static Connection open(FanOut fanOut, FanOutDataSource.OneServer server) {
        return new FanOutConnection(fanOut, server).self;
    }

    Connection self() {
        return self;
    }

    FanOut fanOut() {
        return fanOut;
    }

    void forget(FanOutStatement statement) {
        open.remove(statement);
    }

    void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLNonTransientConnectionException("connection must be open: it was closed", "08003");
        }
    }

    public Statement createStatement() throws SQLException {
        requireOpen();
        FanOutStatement statement = new FanOutStatement(this);
        open.add(statement);
        return statement.as(Statement.class);
    }

    public Statement createStatement(int type, int concurrency) throws SQLException {
        requireForward(type, concurrency);
        return createStatement();
    }

    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return createStatement(type, concurrency);
    }

    public PreparedStatement prepareStatement(String sql) throws SQLException {
        requireOpen();
        FanOutPreparedStatement statement = new FanOutPreparedStatement(this, sql);
        open.add(statement);
        return statement.as(PreparedStatement.class);
    }

    public PreparedStatement prepareStatement(String sql, int generatedKeys) throws SQLException {
        if (generatedKeys != Statement.NO_GENERATED_KEYS) {
            throw SqlErrors.notSupported("connection over all servers must only read: generated keys were asked for;"
                    + " write through router.openConnection(map, key)");
        }
        return prepareStatement(sql);
    }

    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        requireForward(type, concurrency);
        return prepareStatement(sql);
    }

    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepareStatement(sql, type, concurrency);
    }

    private static void requireForward(int type, int concurrency) throws SQLException {
        if (type != ResultSet.TYPE_FORWARD_ONLY || concurrency != ResultSet.CONCUR_READ_ONLY) {
            throw SqlErrors.notSupported("result over all servers must be forward only and read only: type=" + type
                    + ", concurrency=" + concurrency + "; ask for TYPE_FORWARD_ONLY and CONCUR_READ_ONLY");
        }
    }

    public String nativeSQL(String sql) {
        return sql;
    }

    public DatabaseMetaData getMetaData() throws SQLException {
        requireOpen();
        return metaData;
    }

    public void setAutoCommit(boolean on) throws SQLException {
        requireOpen();
        autoCommit = on;
    }

    public boolean getAutoCommit() {
        return autoCommit;
    }

    /** There is nothing to commit. */
    public void commit() throws SQLException {
        requireTransaction();
    }

    /** There is nothing to take back but open results. */
    public void rollback() throws SQLException {
        requireTransaction();
        for (FanOutStatement statement : open) {
            statement.closeResult();
        }
    }

    private void requireTransaction() throws SQLException {
        requireOpen();
        if (autoCommit) {
            throw new SQLException("connection must not be in autocommit mode: call setAutoCommit(false)", "25000");
        }
    }

    public void setTransactionIsolation(int level) throws SQLException {
        if (level != Connection.TRANSACTION_READ_COMMITTED && level != Connection.TRANSACTION_READ_UNCOMMITTED) {
            throw SqlErrors.notSupported(
                    "isolation over all servers must be READ COMMITTED: level=" + level
                            + "; each query has snapshots of its own, one per server with FanOutDataSource.with(FanOut::snapshot)");
        }
    }

    public int getTransactionIsolation() {
        return Connection.TRANSACTION_READ_COMMITTED;
    }

    /** A hint in JDBC; it always only reads. */
    public void setReadOnly(boolean readOnly) {}

    public boolean isReadOnly() {
        return true;
    }

    public void setHoldability(int holdability) throws SQLException {
        if (holdability != ResultSet.HOLD_CURSORS_OVER_COMMIT) {
            throw SqlErrors.notSupported(
                    "results over all servers stay open over a commit: holdability=" + holdability);
        }
    }

    public int getHoldability() {
        return ResultSet.HOLD_CURSORS_OVER_COMMIT;
    }

    public @Nullable String getCatalog() {
        return null;
    }

    public @Nullable String getSchema() {
        return null;
    }

    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    public void clearWarnings() {}

    public void setClientInfo(String name, String value) {}

    public void setClientInfo(Properties properties) {}

    public Properties getClientInfo() {
        return new Properties();
    }

    public boolean isValid(int seconds) {
        return !closed;
    }

    public boolean isClosed() {
        return closed;
    }

    public void abort(Executor executor) {
        close();
    }

    public void close() {
        closed = true;
        List.copyOf(open).forEach(FanOutStatement::close);
    }

    @Override
    public String toString() {
        return "connection over all servers";
    }
}
