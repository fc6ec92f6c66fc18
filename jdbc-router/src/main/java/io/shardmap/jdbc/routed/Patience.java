package io.shardmap.jdbc.routed;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How long one statement still waits for its virtual shard to open again. Belongs to one thread. */
final class Patience {
    private final RoutingConfig config;
    private final long start = System.nanoTime();
    private long pauseNanos;
    private boolean paused;

    Patience(RoutingConfig config) {
        this.config = config;
        this.pauseNanos = config.firstPause().toNanos();
    }

    Duration waited() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    boolean hasPaused() {
        return paused;
    }

    /** Pauses before the next try; false when the wait is over or the thread was interrupted. */
    boolean pause() {
        paused = true;
        long left = config.fenceWait().toNanos() - (System.nanoTime() - start);
        if (left <= 0) {
            return false;
        }
        long spread = pauseNanos / 2 + ThreadLocalRandom.current().nextLong(pauseNanos / 2 + 1);
        LockSupport.parkNanos(this, Math.min(left, Math.max(spread, TimeUnit.MICROSECONDS.toNanos(100))));
        pauseNanos = Math.min(pauseNanos * 2, config.longestPause().toNanos());
        return !Thread.currentThread().isInterrupted();
    }
}
