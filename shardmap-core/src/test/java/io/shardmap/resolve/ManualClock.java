package io.shardmap.resolve;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that moves when a test says so; it starts shortly before the overflow that nanoTime may have. */
final class ManualClock implements LongSupplier {
    private final AtomicLong now =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(5).toNanos());

    @Override
    public long getAsLong() {
        return now.get();
    }

    void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
