package io.shardmap.resolve;

import io.shardmap.ShardMap;
import org.jspecify.annotations.Nullable;

/**
 * Is told how a {@link ShardMapCache} keeps its maps fresh. Called by the thread that does the work, so it should return soon, and must
 * not throw. Every method does nothing by default.
 */
public interface ShardMapCacheListener {
    /** Does nothing. */
    ShardMapCacheListener NONE = new ShardMapCacheListener() {};

    /**
     * The shard-map database was asked for a map, or which maps have changed. Not called for questions that are not put because the
     * database did not answer a moment ago.
     *
     * @param nanos how long it took, in nanoseconds
     * @param failure why there is no answer, or the refusal that is the answer; null when all went well
     */
    default void asked(long nanos, @Nullable RuntimeException failure) {}

    /**
     * A map was loaded, for whatever reason, and is the cached one now. Told before anybody gets it.
     *
     * @param map the map as it is cached
     */
    default void loaded(ShardMap map) {}

    /** A refresh by age has ended, successful or not: the cached maps are as new as they get until the next interval. */
    default void refreshed() {}
}
