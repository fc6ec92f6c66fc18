package io.shardmap.jdbc.pool;

import io.shardmap.Server;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Is told what happens at the pools of a router. Called by the thread that wants a connection, so it should return soon, and must not
 * throw. Every method does nothing by default.
 */
public interface PoolListener {
    /** Does nothing. */
    PoolListener NONE = new PoolListener() {};

    /**
     * A connection was taken from a pool, or could not be.
     *
     * @param nanos how long the caller waited, in nanoseconds
     * @param failure why there is none, or null
     */
    default void acquired(Server server, long nanos, @Nullable SQLException failure) {}
}
