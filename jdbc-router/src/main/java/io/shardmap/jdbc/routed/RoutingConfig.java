package io.shardmap.jdbc.routed;

import java.time.Duration;

/**
 * Settings of routed connections.
 *
 * @param fenceWait how long a statement waits, holding no connection, for a virtual shard that is changing server; zero fails at once
 * @param firstPause pause before the first repetition; doubles up to {@code longestPause}
 * @param longestPause longest pause between two repetitions
 * @param discardOnClose whether {@code DISCARD ALL} runs when a connection that carries session state is returned to its pool
 */
public record RoutingConfig(Duration fenceWait, Duration firstPause, Duration longestPause, boolean discardOnClose) {
    /** Wait 30 s, pause 2 ms to 50 ms, no {@code DISCARD ALL}. */
    public static final RoutingConfig DEFAULT =
            new RoutingConfig(Duration.ofSeconds(30), Duration.ofMillis(2), Duration.ofMillis(50), false);

    /** Returns a copy with another wait. */
    public RoutingConfig withFenceWait(Duration wait) {
        return new RoutingConfig(wait, firstPause, longestPause, discardOnClose);
    }

    /** Returns a copy that clears or keeps session state on close. */
    public RoutingConfig withDiscardOnClose(boolean discard) {
        return new RoutingConfig(fenceWait, firstPause, longestPause, discard);
    }
}
