package io.shardmap.resolve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.ShardMapException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShardMapCacheConfigTest {

    @Test
    void theDefaultsAreWhatTheDocumentationSays() {
        ShardMapCacheConfig defaults = ShardMapCacheConfig.defaults();

        assertEquals(Duration.ofSeconds(2), defaults.refreshInterval());
        assertEquals(Duration.ofMillis(20), defaults.staleReloadGap());
        assertEquals(Duration.ofSeconds(1), defaults.unknownMapTtl());
        assertEquals(Duration.ofSeconds(1), defaults.firstBackOff());
        assertEquals(Duration.ofSeconds(30), defaults.longestBackOff());
    }

    @Test
    void zeroIsTakenWhereItMeansNone() {
        ShardMapCacheConfig none =
                ShardMapCacheConfig.defaults().withStaleReloadGap(Duration.ZERO).withUnknownMapTtl(Duration.ZERO);

        assertEquals(Duration.ZERO, none.staleReloadGap());
        assertEquals(Duration.ZERO, none.unknownMapTtl());
    }

    @Test
    void durationsOutOfRangeAreRefused() {
        ShardMapCacheConfig defaults = ShardMapCacheConfig.defaults();
        Duration negative = Duration.ofNanos(-1);

        assertThrows(ShardMapException.class, () -> defaults.withRefreshInterval(Duration.ZERO));
        assertThrows(ShardMapException.class, () -> defaults.withStaleReloadGap(negative));
        assertThrows(ShardMapException.class, () -> defaults.withUnknownMapTtl(negative));
        assertThrows(ShardMapException.class, () -> defaults.withBackOff(Duration.ZERO, Duration.ofSeconds(1)));
        assertThrows(ShardMapException.class, () -> defaults.withBackOff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    }
}
