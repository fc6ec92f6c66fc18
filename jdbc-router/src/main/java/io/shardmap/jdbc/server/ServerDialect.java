package io.shardmap.jdbc.server;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** How Shardmap speaks to one database product. Stateless, so safe for use by many threads. */
public sealed interface ServerDialect permits PostgresDialect, H2Dialect {

    /** The version of the objects that {@link #install} creates. */
    int VERSION = 1;

    /**
     * Returns the dialect of a JDBC URL.
     *
     * @throws ShardMapException with {@link ErrorCode#NOT_SUPPORTED} when it is neither PostgreSQL nor H2
     */
    static ServerDialect of(String jdbcUrl) {
        if (jdbcUrl.startsWith("jdbc:postgresql:")) {
            return PostgresDialect.INSTANCE;
        }
        if (jdbcUrl.startsWith("jdbc:h2:")) {
            return H2Dialect.INSTANCE;
        }
        int end = jdbcUrl.indexOf(':', "jdbc:".length());
        throw new ShardMapException(
                ErrorCode.NOT_SUPPORTED,
                "server must be PostgreSQL or H2: url=" + (end < 0 ? "?" : jdbcUrl.substring(0, end + 1)) + "...");
    }

    /**
     * Creates or upgrades the `shardmap` schema on a server, in one transaction. Repeating it changes nothing.
     *
     * @throws ShardMapException with {@link ErrorCode#NOT_SUPPORTED} when a newer version is installed
     */
    void install(Connection connection) throws SQLException;

    /** Returns the installed version of the `shardmap` schema, 0 when there is none. */
    int installedVersion(Connection connection) throws SQLException;

    /**
     * Installs the trigger that refuses writes of rows whose virtual shard the server does not own. Repeating it changes nothing.
     *
     * @throws ShardMapException with {@link ErrorCode#NOT_SUPPORTED} when the product has no such triggers
     */
    void installGuard(Connection connection, int mapNumber, ShardedTable table) throws SQLException;

    /** Returns whether the guard of a table is installed and enabled. */
    boolean guarded(Connection connection, ShardedTable table) throws SQLException;

    /** Returns whether the ownership check and the user's statement can share one round trip. */
    boolean oneRoundTrip();

    /** Returns whether the driver gives rows in batches of the fetch size. */
    boolean fetchesInBatches();

    /**
     * Cancels what runs on a connection, of which a statement, or the fetch of its next rows, may be a part. May be called by any thread; does
     * nothing when nothing runs.
     */
    void cancel(Connection physical, Statement statement) throws SQLException;

    /** Returns whether a statement failed only because it had been prepared before a table got another shape. */
    boolean isStalePlan(SQLException error);

    /** Returns the transaction state that the driver of a physical connection keeps. */
    TransactionStatus transactionStatus(Connection physical) throws SQLException;

    /** Returns whether the driver sets savepoints of its own around statements. */
    boolean automaticSavepoints(Connection physical) throws SQLException;

    /**
     * Enters a virtual shard in the open transaction, as a statement of its own.
     *
     * @throws SQLException that {@link #refusalOf} recognises when the server does not admit it; the transaction is then failed
     */
    void enter(Connection physical, Route route) throws SQLException;

    /** Like {@link #enter}, but answers: the transaction stays usable. */
    Refusal tryEnter(Connection physical, Route route) throws SQLException;

    /** Returns the ownership rows of a map, under the shared lock of the whole map that the transaction keeps until its end. */
    List<OwnershipRow> enterMap(Connection physical, int mapNumber) throws SQLException;

    /**
     * Like {@link #enterMap}, for a transaction that writes: enters every virtual shard that the server owns. One that it does not admit, such
     * as a fenced one, is listed as not owned.
     */
    List<OwnershipRow> enterAll(Connection physical, int mapNumber) throws SQLException;

    /**
     * Like {@link #enterMap}, and begins the transaction: REPEATABLE READ, with a snapshot that is not older than the lock. Nothing may run on
     * the connection before, which is in autocommit mode. Cuts the connection when it fails.
     *
     * @param statement runs all that is needed, for others to cancel
     * @throws java.sql.SQLFeatureNotSupportedException when the product cannot do this
     */
    List<OwnershipRow> enterSnapshot(Connection physical, Statement statement, int mapNumber) throws SQLException;

    /** Returns what an error of a statement says about ownership. */
    Refusal refusalOf(SQLException error);
}
