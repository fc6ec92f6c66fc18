package io.shardmap.jdbc;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.resolve.ShardMapCache;
import io.shardmap.resolve.ShardMapCacheListener;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Has the pools drained of servers that left the shard-map database, or whose URL changed; looks after each refresh of the maps. A server
 * that no cached map has ever named is left alone: somebody may know more than the cache.
 */
final class DepartedServers implements ShardMapCacheListener {
    private final ShardMapCache cache;
    private final ServerPools pools;
    private final Set<Server> seen = ConcurrentHashMap.newKeySet();

    DepartedServers(ShardMapCache cache, ServerPools pools) {
        this.cache = cache;
        this.pools = pools;
    }

    @Override
    public void loaded(ShardMap map) {
        seen.addAll(map.servers());
    }

    @Override
    public void refreshed() {
        // Before the maps are looked at: what is loaded meanwhile is in neither, or in both.
        Set<Server> gone = new HashSet<>(seen);
        Set<Server> current = new HashSet<>();
        cache.cached().stream().map(ShardMap::servers).forEach(current::addAll);
        if (current.isEmpty()) {
            pools.retire(Set.of()); // maps are gone, not servers
            return;
        }
        gone.removeAll(current);
        pools.retire(gone);
    }
}
