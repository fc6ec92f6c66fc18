package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import io.shardmap.jdbc.server.Refusal;

/**
 * Is told where a router sends its connections. Called by the thread that uses the connection, so it should return soon, and must not
 * throw. Never told a key. Every method does nothing by default.
 */
public interface RoutingListener {
    /** Does nothing. */
    RoutingListener NONE = new RoutingListener() {};

    /** How a key found its server. */
    enum Resolution {
        /** The cached map said so. */
        HIT,
        /** The map was loaded first: once per map and router. A HIT follows. */
        MISS,
        /** The server refused, and the map was loaded again. */
        STALE,
        /** The key is not one of the map, or no virtual shard holds it. */
        ERROR
    }

    /**
     * A connection was opened, or routed again.
     *
     * @param nanos how long finding the server took, in nanoseconds
     */
    default void resolved(String map, Resolution resolution, long nanos) {}

    /** A server refused a statement, which has not run: it is repeated where the virtual shard lives now, or waits. */
    default void refused(Route route, Refusal refusal) {}

    /** A connection was asked for without a key. */
    default void keyMissing(String map) {}
}
