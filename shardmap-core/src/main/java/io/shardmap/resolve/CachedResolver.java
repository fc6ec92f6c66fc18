package io.shardmap.resolve;

import io.shardmap.ShardMap;

/** A resolver that reads its map from the cache. */
final class CachedResolver implements ShardResolver {
    private final ShardMapCache cache;
    private final String name;
    /** Where the map was last seen. Racy on purpose: an outdated place has no snapshot, and then the cache is asked for the right one. */
    private CachedMap place;

    CachedResolver(ShardMapCache cache, String name) {
        this.cache = cache;
        this.name = name;
        this.place = cache.place(name);
    }

    @Override
    public ShardMap map() {
        ShardMap cached = place.snapshot();
        return cached != null ? cached : currentPlace().get();
    }

    @Override
    public ShardMap refresh(long staleGeneration) {
        return currentPlace().refresh(staleGeneration);
    }

    private CachedMap currentPlace() {
        CachedMap current = cache.place(name);
        place = current;
        return current;
    }
}
