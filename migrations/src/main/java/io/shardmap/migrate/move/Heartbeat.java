package io.shardmap.migrate.move;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews something that runs out, from a thread of its own, three times per period. A renewal that fails is tried again; one that is
 * refused ends the heartbeat.
 */
final class Heartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final String name;
    private final BooleanSupplier renewal;
    private final ScheduledExecutorService thread;
    private volatile boolean refused;

    private Heartbeat(String name, BooleanSupplier renewal) {
        this.name = name;
        this.renewal = renewal;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "shardmap-" + name);
            made.setDaemon(true);
            return made;
        });
    }

    static Heartbeat start(String name, Duration period, BooleanSupplier renewal) {
        Heartbeat heartbeat = new Heartbeat(name, renewal);
        long third = Math.max(1, period.toMillis() / 3);
        var beat = heartbeat.thread.scheduleWithFixedDelay(heartbeat::beat, third, third, TimeUnit.MILLISECONDS);
        LOG.trace("heartbeat started: name={}, cancelled={}", name, beat.isCancelled());
        return heartbeat;
    }

    private void beat() {
        if (refused) {
            return;
        }
        try {
            if (!renewal.getAsBoolean()) {
                refused = true;
            }
        } catch (RuntimeException failure) {
            LOG.debug("renewal failed and is tried again: name={}", name, failure);
        }
    }

    /** Returns whether a renewal was refused: what it renewed is lost. */
    boolean isRefused() {
        return refused;
    }

    /** Ends the heartbeat and waits until a renewal that runs is over. */
    @Override
    public void close() {
        thread.shutdownNow();
        boolean interrupted = false;
        while (true) {
            try {
                if (thread.awaitTermination(1, TimeUnit.MINUTES)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
