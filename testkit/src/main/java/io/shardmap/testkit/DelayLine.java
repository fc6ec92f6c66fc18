package io.shardmap.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A first-in, first-out line in which each chunk stays a fixed time, however many others are in it: what is put in
 * at t comes out at t + delay, so the delay limits no throughput.
 *
 * <p>An empty or paused line parks its consumer without a time limit, a chunk still young parks it until shortly
 * before its time, and only the last {@value #SPIN_NANOS} ns are spun, because a parked thread wakes that much too
 * late. At most {@value #CAPACITY_BYTES} bytes are in the line (then putting blocks, as a full socket does), so that
 * a paused line cannot fill the heap. One producer, one consumer; any thread may pause or close.
 */
final class DelayLine {
    private static final int SPIN_NANOS = 60_000;
    private static final int CAPACITY_BYTES = 16 << 20;

    private static final class Chunk {
        final byte[] bytes;
        final long dueNanos;

        Chunk(byte[] bytes, long dueNanos) {
            this.bytes = bytes;
            this.dueNanos = dueNanos;
        }
    }

    private final long delayNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private int bytesInside;
    private boolean paused;
    private boolean closed;

    DelayLine(long delayNanos) {
        this.delayNanos = delayNanos;
    }

    /** Puts bytes in; an empty array marks the end. Does nothing once closed. */
    void put(byte[] bytes) throws InterruptedException {
        long due = System.nanoTime() + delayNanos;
        lock.lock();
        try {
            while (bytesInside > 0 && bytesInside + bytes.length > CAPACITY_BYTES && !closed) {
                changed.await();
            }
            chunks.add(new Chunk(bytes, due));
            bytesInside += bytes.length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next bytes out at their time; null once closed. */
    byte @Nullable [] take() throws InterruptedException {
        while (true) {
            Chunk next = awaitNext();
            if (next == null) {
                return null;
            }
            awaitTime(next.dueNanos);
            lock.lock();
            try {
                if (!paused && !closed) {
                    chunks.remove();
                    bytesInside -= next.bytes.length;
                    changed.signalAll();
                    return next.bytes;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    void pause(boolean newPaused) {
        lock.lock();
        try {
            paused = newPaused;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            chunks.clear();
            bytesInside = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Chunk awaitNext() throws InterruptedException {
        lock.lock();
        try {
            while (!closed && (paused || chunks.isEmpty())) {
                changed.await();
            }
            return closed ? null : chunks.peek();
        } finally {
            lock.unlock();
        }
    }

    private static void awaitTime(long dueNanos) throws InterruptedException {
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
