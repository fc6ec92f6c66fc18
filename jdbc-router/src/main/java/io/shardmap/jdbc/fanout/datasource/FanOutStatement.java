package io.shardmap.jdbc.fanout.datasource;

import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a statement over all servers can do, as methods of {@link Statement}; {@link Facade} refuses the others. */
@SuppressWarnings("unused") // called by name
class FanOutStatement {
    private static final String ONLY_READS = "statement over all servers must only read: write through"
            + " router.openConnection(map, key), or with FanOut.update, which is not atomic over servers";

    private final FanOutConnection connection;
    private @Nullable Statement self;
    private @Nullable FanOutResult result;
    private @Nullable ResultSet rows;
    private int fetchSize;
    private int timeoutSeconds;
    private long maxRows;
    private boolean closed;

    FanOutStatement(FanOutConnection connection) {
        this.connection = connection;
    }

    /** Returns it as an object of a JDBC interface. Called once. */
    final <T extends Statement> T as(Class<T> type) {
        T statement = Facade.of(type, this);
        self = statement;
        return statement;
    }

    final ResultSet run(String sql, List<@Nullable Object> parameters) throws SQLException {
        requireOpen();
        closeResult();
        FanOut fanOut = connection.fanOut();
        fanOut = fetchSize > 0 ? fanOut.fetchSize(fetchSize) : fanOut;
        fanOut = timeoutSeconds > 0 ? fanOut.deadline(Duration.ofSeconds(timeoutSeconds)) : fanOut;
        FanOutResult answer = fanOut.query(sql, parameters.toArray());
        result = answer;
        ResultSet handed = new StatementRows(answer.resultSet(), self, maxRows);
        rows = handed;
        return handed;
    }

    final void requireOpen() throws SQLException {
        connection.requireOpen();
        if (closed) {
            throw new SQLException("statement must be open: it was closed", "24000");
        }
    }

    final void closeResult() {
        FanOutResult open = result;
        result = null;
        rows = null;
        if (open != null) {
            open.close();
        }
    }

    public ResultSet executeQuery(String sql) throws SQLException {
        return run(sql, List.of());
    }

    public boolean execute(String sql) throws SQLException {
        executeQuery(sql);
        return true;
    }

    public int executeUpdate(String sql) throws SQLException {
        throw SqlErrors.notSupported(ONLY_READS);
    }

    public long executeLargeUpdate(String sql) throws SQLException {
        throw SqlErrors.notSupported(ONLY_READS);
    }

    public void addBatch(String sql) throws SQLException {
        throw SqlErrors.notSupported(ONLY_READS);
    }

    public @Nullable ResultSet getResultSet() throws SQLException {
        requireOpen();
        return rows;
    }

    public int getUpdateCount() {
        return -1;
    }

    public long getLargeUpdateCount() {
        return -1;
    }

    public boolean getMoreResults() {
        closeResult();
        return false;
    }

    public boolean getMoreResults(int current) {
        return getMoreResults();
    }

    public void setFetchSize(int size) throws SQLException {
        fetchSize = notNegative("fetch size", size);
    }

    public int getFetchSize() {
        return fetchSize;
    }

    public void setQueryTimeout(int seconds) throws SQLException {
        timeoutSeconds = notNegative("query timeout", seconds);
    }

    public int getQueryTimeout() {
        return timeoutSeconds;
    }

    public void setMaxRows(int most) throws SQLException {
        maxRows = notNegative("max rows", most);
    }

    public int getMaxRows() {
        return (int) Math.min(maxRows, Integer.MAX_VALUE);
    }

    private static int notNegative(String what, int value) throws SQLException {
        if (value < 0) {
            throw new SQLException(what + " must be >= 0: value=" + value, "22023");
        }
        return value;
    }

    public int getMaxFieldSize() {
        return 0;
    }

    /** Braces are refused when the query is planned. */
    public void setEscapeProcessing(boolean on) {}

    /** A hint in JDBC. */
    public void setFetchDirection(int direction) {}

    public int getFetchDirection() {
        return ResultSet.FETCH_FORWARD;
    }

    public int getResultSetType() {
        return ResultSet.TYPE_FORWARD_ONLY;
    }

    public int getResultSetConcurrency() {
        return ResultSet.CONCUR_READ_ONLY;
    }

    public int getResultSetHoldability() {
        return ResultSet.HOLD_CURSORS_OVER_COMMIT;
    }

    public Connection getConnection() throws SQLException {
        requireOpen();
        return connection.self();
    }

    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    public void clearWarnings() {}

    public void setPoolable(boolean poolable) {}

    public boolean isPoolable() {
        return false;
    }

    public boolean isCloseOnCompletion() {
        return false;
    }

    public boolean isClosed() {
        return closed;
    }

    public void close() {
        closed = true;
        closeResult();
        connection.forget(this);
    }

    @Override
    public String toString() {
        return "statement over all servers";
    }
}
