package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Pauses of a mover; an interrupt ends the mover at its next pause. */
final class Waiting {
    private Waiting() {}

    /** Waits a time, measured by the clock that never jumps. */
    static void pause(Object blocker, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long left = time.toNanos();
        while (left > 0) {
            LockSupport.parkNanos(blocker, left);
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted();
            }
            left = end - System.nanoTime();
        }
    }

    /** What a mover says that was interrupted. */
    static ShardMapException interrupted() {
        return new ShardMapException(
                ErrorCode.CONCURRENT_CHANGE, "mover must not be interrupted: the move stays as it is; resume it");
    }
}
