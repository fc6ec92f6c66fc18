package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One real PostgreSQL server of a {@link PostgresServers}.
 *
 * <p>{@link #stop()}, {@link #kill()} and {@link #start()} work on servers of one's own from the embedded and the
 * Testcontainers backend; shared and external servers refuse them with an {@link UnsupportedOperationException}. The
 * port and the address stay the same over stop and start. Thread-safe.
 */
public final class PostgresServer {
    private static final int VERSION_FACTOR = 10_000;

    private final String name;
    private final ServerHandle handle;

    PostgresServer(String name, ServerHandle handle) {
        this.name = name;
        this.handle = handle;
    }

    /**
     * The name this server was asked for by.
     *
     * @return the name, unique in its set
     */
    public String name() {
        return name;
    }

    /**
     * The JDBC URL of this server's database: {@code postgres} on a server of one's own, or a fresh database of this
     * set on a shared or external one. It contains neither user nor password.
     *
     * @return such as {@code jdbc:postgresql://127.0.0.1:20001/postgres}
     */
    public String jdbcUrl() {
        return access().url().toString();
    }

    /**
     * The JDBC URL of a database on this server.
     *
     * @param database a database name; it need not exist yet
     * @return the URL, without user and password
     */
    public String jdbcUrl(String database) {
        return access().url().withDatabase(database).toString();
    }

    /**
     * The JDBC URL of this server's database as seen through a proxy.
     *
     * @param proxy a proxy that forwards to this server
     * @return the URL with the proxy's address, without user and password
     */
    public String jdbcUrlThrough(DelayingProxy proxy) {
        return access().url().withAddress(proxy.host(), proxy.port()).toString();
    }

    /**
     * The superuser to connect as.
     *
     * @return the user name
     */
    public String user() {
        return access().user();
    }

    /**
     * The password of {@link #user()}.
     *
     * @return the password, or null if the server asks for none
     */
    public @Nullable String password() {
        return access().password();
    }

    /**
     * The host under which this server is reached.
     *
     * @return a host name or address
     */
    public String host() {
        return access().url().host();
    }

    /**
     * The TCP port on {@link #host()}.
     *
     * @return the port, 1 to 65535
     */
    public int port() {
        return access().url().port();
    }

    /**
     * Opens a new connection to the database of {@link #jdbcUrl()}. The caller closes it.
     *
     * @return an open connection in autocommit mode
     * @throws SQLException if the server does not accept it, for example because it is stopped
     */
    public Connection openConnection() throws SQLException {
        return access().openConnection();
    }

    /**
     * A data source without a pool: each {@code getConnection()} opens a new connection.
     *
     * @return a data source for the database of {@link #jdbcUrl()}
     */
    public DataSource dataSource() {
        return access().dataSource();
    }

    /**
     * Creates a database on this server. Nothing drops it before the server itself goes: on a shared or external
     * server it stays behind unless the test drops it.
     *
     * @param database the name, taken as it is (quoted)
     * @return the JDBC URL of the new database
     * @throws SQLException if it exists or the server does not run
     */
    public String createDatabase(String database) throws SQLException {
        access().execute("CREATE DATABASE " + ServerAccess.quoted(database));
        return jdbcUrl(database);
    }

    /**
     * Stops the server as an operator would (fast shutdown: open transactions are rolled back, connections end, a
     * checkpoint is written). Does nothing if it does not run.
     *
     * @throws UnsupportedOperationException if the server is shared or external
     */
    public void stop() {
        handle.stop();
    }

    /**
     * Kills the server with all its processes, as {@code kill -9} does; its data stays. Does nothing if it does not
     * run.
     *
     * @throws UnsupportedOperationException if the server is shared or external
     */
    public void kill() {
        handle.kill();
    }

    /**
     * Starts the server again after {@link #stop()} or {@link #kill()}, on the same port and data, and waits until it
     * accepts connections; crash recovery is part of that. Does nothing if it runs.
     *
     * @throws TestkitException if its port was taken meanwhile, or it does not become ready within 60 seconds
     * @throws UnsupportedOperationException if the server is shared or external and does not run
     */
    public void start() {
        handle.start();
    }

    /**
     * Whether the server runs at this moment.
     *
     * @return true if it runs
     */
    public boolean isRunning() {
        return handle.isRunning();
    }

    /**
     * The major version of PostgreSQL that runs, asked from the server.
     *
     * @return such as 18
     * @throws TestkitException if the server does not answer
     */
    public int majorVersion() {
        try (Connection connection = openConnection();
                Statement statement = connection.createStatement();
                ResultSet version = statement.executeQuery("SHOW server_version_num")) {
            version.next();
            return version.getInt(1) / VERSION_FACTOR;
        } catch (SQLException e) {
            throw new TestkitException(
                    Reason.SERVER_FAILED, "a server must run to tell its version: server=" + name + "; start it", e);
        }
    }

    /** Checks the version that runs, unless {@code required} is 0. */
    void requireMajorVersion(int required, String advice) {
        if (required == 0) {
            return;
        }
        int running = majorVersion();
        if (running != required) {
            throw new TestkitException(
                    Reason.VERSION_MISMATCH,
                    "the PostgreSQL version asked for must be the one that runs: server=" + name + ", asked=" + required
                            + ", running=" + running + "; " + advice);
        }
    }

    ServerAccess access() {
        return handle.access();
    }

    void close() {
        handle.close();
    }

    /** The name and the JDBC URL. */
    @Override
    public String toString() {
        return name + " at " + jdbcUrl();
    }
}
