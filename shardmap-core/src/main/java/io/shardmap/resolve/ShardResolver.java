package io.shardmap.resolve;

import io.shardmap.Route;
import io.shardmap.ShardMap;

/**
 * Resolves the keys of one map: key, virtual shard, server. A hit takes no lock and, for integral keys, allocates nothing. Safe for
 * use by many threads. What it says may be stale: the server decides.
 */
public interface ShardResolver {

    /** Returns the cached generation of the map, loading it if this is the first use. */
    ShardMap map();

    /** Returns where a key lives; see {@link ShardMap#route(Object)} for what is refused. */
    default Route resolve(Object key) {
        return map().route(key);
    }

    /** Returns where an integral key lives; see {@link ShardMap#route(long)} for what is refused. */
    default Route resolve(long key) {
        return map().route(key);
    }

    /**
     * Returns a generation newer than the one that a server called stale, if there is one: loads at once unless the cache already
     * holds a newer one, one load however many threads ask. When the shard-map database does not answer, returns what is cached.
     *
     * @param staleGeneration generation of the route that was refused
     */
    ShardMap refresh(long staleGeneration);
}
