package io.shardmap.jdbc.fanout;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks after running fan-outs: one daemon thread that asks each every 20 ms whether it is time to stop. Watching costs two map
 * operations, no timer; the thread sleeps when nothing has run for a second.
 */
final class Watchdog implements AutoCloseable {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int IDLE_TICKS = 50;

    /** Something to look after. */
    interface Watched {
        /** Stops what must be stopped by now; must not wait. */
        void check();
    }

    private final Set<Watched> active = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::run, "shardmap-fanout-watchdog");
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean asleep;
    private volatile boolean closed;

    Watchdog() {
        thread.setDaemon(true);
    }

    void watch(Watched watched) {
        active.add(watched);
        if (!started.get() && started.compareAndSet(false, true)) {
            thread.start();
        }
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    void forget(Watched watched) {
        active.remove(watched);
    }

    private void run() {
        int idle = 0;
        while (!closed) {
            idle = active.isEmpty() ? idle + 1 : 0;
            active.forEach(Watched::check);
            if (idle < IDLE_TICKS) {
                LockSupport.parkNanos(this, TICK);
            } else {
                asleep = true;
                if (active.isEmpty() && !closed) {
                    LockSupport.park(this);
                }
                asleep = false;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
