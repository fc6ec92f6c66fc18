package io.shardmap.jdbc.server;

/** Why a server did not admit a transaction to a virtual shard. */
public enum Refusal {
    /** It was admitted, or the error has nothing to do with ownership. */
    NONE,
    /** The server does not own the virtual shard at the epoch asked for. */
    STALE,
    /** The virtual shard is changing server right now. */
    FENCED
}
