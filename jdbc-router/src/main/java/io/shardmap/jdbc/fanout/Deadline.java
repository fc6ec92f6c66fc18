package io.shardmap.jdbc.fanout;

import java.time.Duration;

/** The moment at which a fan-out must have its last row. Immutable. */
final class Deadline {
    private final Duration allowed;
    private final long end;

    private Deadline(Duration allowed) {
        this.allowed = allowed;
        this.end = System.nanoTime() + allowed.toNanos();
    }

    static Deadline in(Duration allowed) {
        return new Deadline(allowed);
    }

    Duration allowed() {
        return allowed;
    }

    /** Returns how much time is left, negative when it is over. */
    long nanosLeft() {
        return end - System.nanoTime();
    }

    boolean isOver() {
        return nanosLeft() <= 0;
    }
}
