package io.shardmap.jdbc.forwarding;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;

/** Forwards every call to another {@link Statement}; subclasses override what they change. */
@SuppressWarnings("deprecation")
public abstract class ForwardingStatement implements Statement {

    /** Returns the object that receives the calls. */
    protected abstract Statement delegate() throws SQLException;

    @Override
    public void addBatch(String text) throws SQLException {
        delegate().addBatch(text);
    }

    @Override
    public void cancel() throws SQLException {
        delegate().cancel();
    }

    @Override
    public void clearBatch() throws SQLException {
        delegate().clearBatch();
    }

    @Override
    public void clearWarnings() throws SQLException {
        delegate().clearWarnings();
    }

    @Override
    public void close() throws SQLException {
        delegate().close();
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        delegate().closeOnCompletion();
    }

    @Override
    public String enquoteIdentifier(String text, boolean flag) throws SQLException {
        return delegate().enquoteIdentifier(text, flag);
    }

    @Override
    public String enquoteLiteral(String text) throws SQLException {
        return delegate().enquoteLiteral(text);
    }

    @Override
    public String enquoteNCharLiteral(String text) throws SQLException {
        return delegate().enquoteNCharLiteral(text);
    }

    @Override
    public boolean execute(String text, int[] value) throws SQLException {
        return delegate().execute(text, value);
    }

    @Override
    public boolean execute(String text, String[] value) throws SQLException {
        return delegate().execute(text, value);
    }

    @Override
    public boolean execute(String text, int number) throws SQLException {
        return delegate().execute(text, number);
    }

    @Override
    public boolean execute(String text) throws SQLException {
        return delegate().execute(text);
    }

    @Override
    public int[] executeBatch() throws SQLException {
        return delegate().executeBatch();
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return delegate().executeLargeBatch();
    }

    @Override
    public long executeLargeUpdate(String text, int[] value) throws SQLException {
        return delegate().executeLargeUpdate(text, value);
    }

    @Override
    public long executeLargeUpdate(String text, String[] value) throws SQLException {
        return delegate().executeLargeUpdate(text, value);
    }

    @Override
    public long executeLargeUpdate(String text, int number) throws SQLException {
        return delegate().executeLargeUpdate(text, number);
    }

    @Override
    public long executeLargeUpdate(String text) throws SQLException {
        return delegate().executeLargeUpdate(text);
    }

    @Override
    public ResultSet executeQuery(String text) throws SQLException {
        return delegate().executeQuery(text);
    }

    @Override
    public int executeUpdate(String text, int[] value) throws SQLException {
        return delegate().executeUpdate(text, value);
    }

    @Override
    public int executeUpdate(String text, String[] value) throws SQLException {
        return delegate().executeUpdate(text, value);
    }

    @Override
    public int executeUpdate(String text, int number) throws SQLException {
        return delegate().executeUpdate(text, number);
    }

    @Override
    public int executeUpdate(String text) throws SQLException {
        return delegate().executeUpdate(text);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return delegate().getConnection();
    }

    @Override
    public int getFetchDirection() throws SQLException {
        return delegate().getFetchDirection();
    }

    @Override
    public int getFetchSize() throws SQLException {
        return delegate().getFetchSize();
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        return delegate().getGeneratedKeys();
    }

    @Override
    public long getLargeMaxRows() throws SQLException {
        return delegate().getLargeMaxRows();
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        return delegate().getLargeUpdateCount();
    }

    @Override
    public int getMaxFieldSize() throws SQLException {
        return delegate().getMaxFieldSize();
    }

    @Override
    public int getMaxRows() throws SQLException {
        return delegate().getMaxRows();
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        return delegate().getMoreResults();
    }

    @Override
    public boolean getMoreResults(int index) throws SQLException {
        return delegate().getMoreResults(index);
    }

    @Override
    public int getQueryTimeout() throws SQLException {
        return delegate().getQueryTimeout();
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        return delegate().getResultSet();
    }

    @Override
    public int getResultSetConcurrency() throws SQLException {
        return delegate().getResultSetConcurrency();
    }

    @Override
    public int getResultSetHoldability() throws SQLException {
        return delegate().getResultSetHoldability();
    }

    @Override
    public int getResultSetType() throws SQLException {
        return delegate().getResultSetType();
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return delegate().getUpdateCount();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return delegate().getWarnings();
    }

    @Override
    public boolean isCloseOnCompletion() throws SQLException {
        return delegate().isCloseOnCompletion();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return delegate().isClosed();
    }

    @Override
    public boolean isPoolable() throws SQLException {
        return delegate().isPoolable();
    }

    @Override
    public boolean isSimpleIdentifier(String text) throws SQLException {
        return delegate().isSimpleIdentifier(text);
    }

    @Override
    public void setCursorName(String text) throws SQLException {
        delegate().setCursorName(text);
    }

    @Override
    public void setEscapeProcessing(boolean flag) throws SQLException {
        delegate().setEscapeProcessing(flag);
    }

    @Override
    public void setFetchDirection(int index) throws SQLException {
        delegate().setFetchDirection(index);
    }

    @Override
    public void setFetchSize(int index) throws SQLException {
        delegate().setFetchSize(index);
    }

    @Override
    public void setLargeMaxRows(long length) throws SQLException {
        delegate().setLargeMaxRows(length);
    }

    @Override
    public void setMaxFieldSize(int index) throws SQLException {
        delegate().setMaxFieldSize(index);
    }

    @Override
    public void setMaxRows(int index) throws SQLException {
        delegate().setMaxRows(index);
    }

    @Override
    public void setPoolable(boolean flag) throws SQLException {
        delegate().setPoolable(flag);
    }

    @Override
    public void setQueryTimeout(int index) throws SQLException {
        delegate().setQueryTimeout(index);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        return delegate().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || delegate().isWrapperFor(type);
    }
}
