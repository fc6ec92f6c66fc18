package io.shardmap.migrate.move;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** How a mover speaks to one database product about tokens, locks and ownership. Stateless. */
sealed interface MoverDialect permits PostgresMover, H2Mover {

    static MoverDialect of(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("H2") ? new H2Mover() : new PostgresMover();
    }

    /** Makes a new session recognisable, durable, and independent of the settings of user and database. */
    void prepareSession(Connection connection, Place place, long token) throws SQLException;

    /** Creates the rows that the locks of a virtual shard need. Repeating it changes nothing. */
    void prepareLocks(Connection connection, Place place) throws SQLException;

    /** Returns the token stored on the server, 0 when there is none. */
    long token(Connection connection, Place place) throws SQLException;

    /** Stores a higher token; false when the stored one is not lower. */
    boolean raiseToken(Connection connection, Place place, long token) throws SQLException;

    /** Ends the sessions of other movers of the virtual shard and returns how many there were. */
    int endOthers(Connection connection, Place place, long token) throws SQLException;

    /** Returns whether the token is the stored one; it then stays so until the transaction ends. */
    boolean holdToken(Connection connection, Place place, long token) throws SQLException;

    /** Takes the exclusive lock of a scope for at most a tenth of a second; false when it was not free. The transaction is then failed. */
    boolean tryLock(Connection connection, Place place, LockScope scope) throws SQLException;

    /** Reads the ownership row; locks of the caller's transaction, not of this statement, keep it true. */
    Ownership ownership(Connection connection, Place place) throws SQLException;

    /** Reads the ownership row and keeps others from changing it until the transaction ends. */
    Ownership holdOwnership(Connection connection, Place place) throws SQLException;

    /** Fences the virtual shard at its present epoch for a time from now. */
    void fence(Connection connection, Place place, Duration time) throws SQLException;

    /** Writes the ownership row, except over a higher epoch. */
    boolean write(Connection connection, Place place, Ownership.State state, long epoch, boolean holdsCopies)
            throws SQLException;

    /** Returns what changes when the server restarts or another takes its place; empty when the product does not tell. */
    String incarnation(Connection connection) throws SQLException;
}
