package io.shardmap.jdbc.routed;

/** How much a routed connection proves before it lets a statement run. */
public enum RoutingMode {
    /** Ownership is proven by the server for every transaction; the default. */
    STRICT,
    /**
     * Nothing is sent beyond the user's statements: reads may be as stale as the cached map. Writes are let through only where the
     * guard trigger is installed on every sharded table of the server.
     */
    TRUST
}
