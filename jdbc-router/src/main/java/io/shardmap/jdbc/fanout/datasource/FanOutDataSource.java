package io.shardmap.jdbc.fanout.datasource;

import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOut;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source without keys: each query of its connections is a query of a {@link FanOut}, with the same answers, limits and refusals. For
 * tools that only know JDBC, such as Spring's JdbcTemplate, reports and consoles.
 *
 * <p>It only reads. Its connections are not connections of a database: opening and closing one costs nothing, and servers are asked when a
 * query runs. With {@code setAutoCommit(false)} they read as in a read-only READ COMMITTED transaction, where each query sees what is
 * committed when it runs: commit and rollback have nothing to do. A higher isolation is refused, because queries that follow each other do
 * not share a snapshot; one query in one snapshot per server is {@code with(FanOut::snapshot)}. The query timeout is the deadline.
 *
 * <p>Metadata of a result are those of the servers' own results; metadata of the database are those of the first server. What a call asks
 * for and a fan-out cannot do is refused with {@link SQLFeatureNotSupportedException}.
 *
 * <p>Immutable, safe for use by many threads; its connections are used by one thread at a time, as JDBC has it.
 */
public final class FanOutDataSource implements DataSource {
    private final FanOut fanOut;
    private final OneServer server;

    /** Opens a connection to one of the servers, which stands for all where only the schema counts. */
    @FunctionalInterface
    public interface OneServer {
        /** Opens it. */
        Connection open() throws SQLException;
    }

    /** Creates it; {@code router.fanOutDataSource(map)} is easier. */
    public FanOutDataSource(FanOut fanOut, OneServer server) {
        this.fanOut = fanOut;
        this.server = server;
    }

    /** Returns a copy with other settings, as {@code with(fanOut -> fanOut.deadline(deadline).resultLimit(rows, bytes))}. */
    public FanOutDataSource with(UnaryOperator<FanOut> settings) {
        return new FanOutDataSource(settings.apply(fanOut), server);
    }

    @Override
    public Connection getConnection() {
        return FanOutConnection.open(fanOut, server);
    }

    /** Refuses: the pools of the router have the credentials. */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw SqlErrors.notSupported("credentials must be set on the router: call getConnection()");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw SqlErrors.notSupported("Shardmap logs to SLF4J");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw SqlErrors.notSupported("set the connection timeout of the pools on the router");
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
}
