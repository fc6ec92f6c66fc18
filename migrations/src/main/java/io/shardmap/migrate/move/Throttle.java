package io.shardmap.migrate.move;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Lets so many bytes per second through, for all threads together and evenly: who comes early waits until its bytes are due, in pauses
 * short enough to hear that it shall stop. Time in which nothing came through is not made up for. Safe for use by many threads.
 */
final class Throttle {
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);
    /** Waiting for less than this is left to the next bytes: a thread cannot sleep exactly. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(2);

    private final long bytesPerSecond;
    private long due;

    /** Takes bytes per second; 0 lets everything through. */
    Throttle(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
        this.due = System.nanoTime();
    }

    /** Waits until these bytes are due, or {@code stop} says so. */
    void pass(int bytes, BooleanSupplier stop) {
        if (bytesPerSecond == 0) {
            return;
        }
        long mine = reserve(bytes);
        long left = mine - System.nanoTime();
        while (left > SHORTEST_PAUSE.toNanos() && !stop.getAsBoolean()) {
            Waiting.pause(this, Duration.ofNanos(Math.min(left, LONGEST_PAUSE.toNanos())));
            left = mine - System.nanoTime();
        }
    }

    private synchronized long reserve(int bytes) {
        long now = System.nanoTime();
        if (due - now < 0) {
            due = now;
        }
        due += (long) (bytes * 1e9 / bytesPerSecond);
        return due;
    }
}
