package io.shardmap.resolve;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.store.ShardMapStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store as a cache asks it: while it does not answer, one attempt per back-off, and everybody else is told the last failure at
 * once. The outage is the store's, not a map's, so all maps share it. No lock is held while the store is asked.
 */
final class PatientStore {
    private static final Logger LOG = LoggerFactory.getLogger(PatientStore.class);

    private final ShardMapStore store;
    private final ShardMapCacheConfig config;
    private final ShardMapCacheListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    /** Failure that began or prolonged the outage; null while the store answers. */
    private @Nullable RuntimeException outage;

    private Duration backOff;
    private long nextAttempt;

    PatientStore(ShardMapStore store, ShardMapCacheConfig config, ShardMapCacheListener listener) {
        this.store = store;
        this.config = config;
        this.listener = listener;
        this.backOff = config.firstBackOff();
    }

    ShardMap load(String map) {
        return ask(() -> told(() -> store.load(map)));
    }

    Map<String, Long> generations() {
        return ask(() -> told(store::generations));
    }

    private <T> T told(Supplier<T> question) {
        long start = System.nanoTime();
        try {
            T answer = question.get();
            listener.asked(System.nanoTime() - start, null);
            return answer;
        } catch (RuntimeException failure) {
            listener.asked(System.nanoTime() - start, failure);
            throw failure;
        }
    }

    private <T> T ask(Supplier<T> question) {
        RuntimeException before = enter();
        T answer;
        try {
            answer = question.get();
        } catch (RuntimeException failure) {
            if (isAnswer(failure)) {
                answered();
            } else {
                failed(before, failure);
            }
            throw failure;
        }
        answered();
        return answer;
    }

    /** Returns whether the store was reached, and refused. */
    static boolean isAnswer(RuntimeException failure) {
        return failure instanceof ShardMapException refusal && refusal.code().category() == ErrorCode.Category.CALLER;
    }

    /** Returns the outage that this attempt may end; throws it when it is somebody else's turn. */
    private @Nullable RuntimeException enter() {
        lock.lock();
        try {
            if (outage != null) {
                long now = config.nanoTime().getAsLong();
                if (now - nextAttempt < 0) {
                    throw outage;
                }
                nextAttempt = now + backOff.toNanos();
            }
            return outage;
        } finally {
            lock.unlock();
        }
    }

    private void answered() {
        lock.lock();
        try {
            if (outage != null) {
                LOG.info("Shard-map database answers again");
            }
            outage = null;
            backOff = config.firstBackOff();
        } finally {
            lock.unlock();
        }
    }

    private void failed(@Nullable RuntimeException before, RuntimeException failure) {
        lock.lock();
        try {
            if (outage != before) {
                // An attempt from before the outage: the one that began it has been counted.
                return;
            }
            if (before == null) {
                LOG.warn(
                        "Shard-map database does not answer: known maps are served from the cache, next attempt in {}",
                        backOff,
                        failure);
            } else {
                Duration doubled = backOff.multipliedBy(2);
                backOff = doubled.compareTo(config.longestBackOff()) < 0 ? doubled : config.longestBackOff();
            }
            outage = failure;
            nextAttempt = config.nanoTime().getAsLong() + backOff.toNanos();
        } finally {
            lock.unlock();
        }
    }
}
