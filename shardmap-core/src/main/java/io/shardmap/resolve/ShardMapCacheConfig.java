package io.shardmap.resolve;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How fresh a {@link ShardMapCache} keeps its maps, and how it spares the shard-map database.
 *
 * @param refreshInterval time between two questions whether any map has changed, more than zero; 2 s
 * @param staleReloadGap least time between two loads of one map because a server called it stale; zero for none; 20 ms
 * @param unknownMapTtl how long a refused name, such as that of a map which does not exist, is refused without asking again; zero for
 *     not at all; 1 s
 * @param firstBackOff time between the first failure of the database and the next attempt, more than zero; 1 s
 * @param longestBackOff the time between attempts doubles up to this, not less than {@code firstBackOff}; 30 s
 * @param nanoTime the clock; {@link System#nanoTime}
 */
public record ShardMapCacheConfig(
        Duration refreshInterval,
        Duration staleReloadGap,
        Duration unknownMapTtl,
        Duration firstBackOff,
        Duration longestBackOff,
        LongSupplier nanoTime) {

    /**
     * Validates the parts.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when a duration is out of its range
     */
    public ShardMapCacheConfig {
        require(refreshInterval.compareTo(Duration.ZERO) > 0, "refreshInterval must be > 0", refreshInterval);
        require(!staleReloadGap.isNegative(), "staleReloadGap must be >= 0", staleReloadGap);
        require(!unknownMapTtl.isNegative(), "unknownMapTtl must be >= 0", unknownMapTtl);
        require(firstBackOff.compareTo(Duration.ZERO) > 0, "firstBackOff must be > 0", firstBackOff);
        require(longestBackOff.compareTo(firstBackOff) >= 0, "longestBackOff must be >= firstBackOff", longestBackOff);
    }

    private static void require(boolean rule, String message, Duration seen) {
        if (!rule) {
            throw new ShardMapException(ErrorCode.INVALID_DEFINITION, message + ": value=" + seen);
        }
    }

    /** Returns the defaults. */
    public static ShardMapCacheConfig defaults() {
        return new ShardMapCacheConfig(
                Duration.ofSeconds(2),
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                System::nanoTime);
    }

    /** Returns this with another refresh interval. */
    public ShardMapCacheConfig withRefreshInterval(Duration interval) {
        return new ShardMapCacheConfig(interval, staleReloadGap, unknownMapTtl, firstBackOff, longestBackOff, nanoTime);
    }

    /** Returns this with another gap between loads of a map that a server called stale. */
    public ShardMapCacheConfig withStaleReloadGap(Duration gap) {
        return new ShardMapCacheConfig(refreshInterval, gap, unknownMapTtl, firstBackOff, longestBackOff, nanoTime);
    }

    /** Returns this with another time for which a refused name stays refused. */
    public ShardMapCacheConfig withUnknownMapTtl(Duration ttl) {
        return new ShardMapCacheConfig(refreshInterval, staleReloadGap, ttl, firstBackOff, longestBackOff, nanoTime);
    }

    /** Returns this with another pace of attempts while the database does not answer. */
    public ShardMapCacheConfig withBackOff(Duration first, Duration longest) {
        return new ShardMapCacheConfig(refreshInterval, staleReloadGap, unknownMapTtl, first, longest, nanoTime);
    }

    /** Returns this with another clock. */
    public ShardMapCacheConfig withNanoTime(LongSupplier clock) {
        return new ShardMapCacheConfig(
                refreshInterval, staleReloadGap, unknownMapTtl, firstBackOff, longestBackOff, clock);
    }
}
