package io.shardmap.jdbc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process brings about; ends when interrupted. */
public final class Await {
    private static final long PATIENCE_SECONDS = 60;

    private Await() {}

    /** A question that may fail. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Returns when the condition holds, and fails when it does not in a time that is long on any machine. */
    public static void until(Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("condition must hold within " + PATIENCE_SECONDS + " s");
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("while a condition does not hold");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }
}
