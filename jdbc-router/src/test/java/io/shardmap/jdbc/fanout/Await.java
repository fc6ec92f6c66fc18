package io.shardmap.jdbc.fanout;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process brings about. */
final class Await {
    private Await() {}

    /** A question that may fail. */
    interface Condition {
        boolean holds() throws Exception;
    }

    static void until(Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(20)) {
                throw new AssertionError("condition must hold within 20 s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
