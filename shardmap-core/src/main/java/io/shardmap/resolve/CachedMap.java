package io.shardmap.resolve;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One name in the cache: the newest known generation of its map, or why there is none. Readers take the snapshot by one volatile
 * read. All else is guarded by the lock, which is never held while the store is asked: a load is a future that one thread
 * completes and the others wait for.
 *
 * <p>Fields other than the final ones start at their default values, because a resolver may hand this object to another thread
 * without synchronization.
 */
final class CachedMap {
    private static final Logger LOG = LoggerFactory.getLogger(CachedMap.class);

    private final String name;
    private final ShardMapCache cache;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable ShardMap snapshot;

    private @Nullable CompletableFuture<ShardMap> load;
    private @Nullable RuntimeException refusal;
    private long refusedAt;
    private boolean reloaded;
    private long reloadedAt;
    /** Stored generation that did not become the snapshot; 0 for none. It is neither loaded by age nor reported again. */
    private long setAside;

    CachedMap(String name, ShardMapCache cache) {
        this.name = name;
        this.cache = cache;
    }

    String name() {
        return name;
    }

    /** Returns what is cached: one volatile read. */
    @Nullable
    ShardMap snapshot() {
        return snapshot;
    }

    /** Returns what is cached, or loads it. */
    ShardMap get() {
        CompletableFuture<ShardMap> running;
        boolean own = false;
        lock.lock();
        try {
            ShardMap cached = snapshot;
            if (cached != null) {
                return cached;
            }
            if (refusal != null
                    && elapsedSince(refusedAt) < cache.config().unknownMapTtl().toNanos()) {
                throw refusal;
            }
            if (load == null) {
                load = new CompletableFuture<>();
                own = true;
            }
            running = load;
        } finally {
            lock.unlock();
        }
        return own ? load(running, false) : await(running);
    }

    /** See {@link ShardResolver#refresh}. */
    ShardMap refresh(long staleGeneration) {
        ShardMap newest = get();
        // A load that was already running may have read the map before the change, so one of our own may have to
        // follow.
        for (int attempt = 0; attempt < 2 && newest.generation() <= staleGeneration; attempt++) {
            CompletableFuture<ShardMap> running;
            boolean own = false;
            lock.lock();
            try {
                ShardMap cached = snapshot;
                if (cached != null && cached.generation() > staleGeneration) {
                    return cached;
                }
                if (load == null) {
                    if (reloaded
                            && elapsedSince(reloadedAt)
                                    < cache.config().staleReloadGap().toNanos()) {
                        return newest;
                    }
                    load = new CompletableFuture<>();
                    own = true;
                }
                running = load;
            } finally {
                lock.unlock();
            }
            try {
                newest = own ? load(running, true) : await(running);
            } catch (RuntimeException failure) {
                ShardMap cached = snapshot;
                if (cached == null) {
                    throw failure;
                }
                return cached;
            }
            if (own) {
                return newest;
            }
        }
        return newest;
    }

    /** Loads the map unless the stored generation is the cached one, or was set aside before. */
    void refreshByAge(long storedGeneration) {
        CompletableFuture<ShardMap> own;
        lock.lock();
        try {
            ShardMap cached = snapshot;
            if (cached == null
                    || load != null
                    || cached.generation() == storedGeneration
                    || setAside == storedGeneration) {
                return;
            }
            own = new CompletableFuture<>();
            load = own;
        } finally {
            lock.unlock();
        }
        try {
            load(own, false);
        } catch (RuntimeException failure) {
            if (PatientStore.isAnswer(failure)) {
                LOG.warn("Generation {} of shard map {} cannot be used", storedGeneration, name, failure);
                setAside(storedGeneration);
            }
        }
    }

    private void setAside(long generation) {
        lock.lock();
        try {
            setAside = generation;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the map: it was deleted, or the cache is closed. */
    void forget() {
        lock.lock();
        try {
            snapshot = null;
            cache.forget(this);
        } finally {
            lock.unlock();
        }
    }

    private ShardMap load(CompletableFuture<ShardMap> own, boolean stale) {
        ShardMap kept;
        try {
            ShardMap loaded = cache.store().load(name);
            kept = keepNewer(loaded);
            if (kept == loaded) {
                cache.listener().loaded(kept);
            }
        } catch (Throwable failure) {
            if (failure instanceof RuntimeException refused && PatientStore.isAnswer(refused)) {
                refuse(refused);
            }
            ended(stale);
            own.completeExceptionally(failure);
            throw failure;
        }
        ended(stale);
        own.complete(kept);
        return kept;
    }

    /** Lets others load again: before those who waited wake up, or they would find the load that they already know. */
    private void ended(boolean stale) {
        lock.lock();
        try {
            load = null;
            if (stale) {
                reloaded = true;
                reloadedAt = cache.config().nanoTime().getAsLong();
            }
        } finally {
            lock.unlock();
        }
    }

    private static ShardMap await(CompletableFuture<ShardMap> running) {
        try {
            return running.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed;
        }
    }

    /**
     * Takes a loaded generation unless a newer one is cached, and returns the newer. Numbers of maps grow, so a higher number is a
     * later map of the same name. An equal generation is taken: after a restore it can differ.
     */
    private ShardMap keepNewer(ShardMap loaded) {
        CachedMap home;
        lock.lock();
        try {
            // Under the lock, so that a snapshot is never put where no refresh by age would find it.
            home = cache.home(this);
            if (home == this) {
                return keepNewerHere(loaded);
            }
        } finally {
            lock.unlock();
        }
        return home.keepNewer(loaded);
    }

    private ShardMap keepNewerHere(ShardMap loaded) {
        ShardMap cached = snapshot;
        if (cached != null && isOlder(loaded, cached)) {
            if (setAside != loaded.generation()) {
                setAside = loaded.generation();
                LOG.warn(
                        "Shard-map database holds an older generation of shard map {} than it did: stored={}, cached={};"
                                + " the newer one stays in use. Was the database restored from a backup?",
                        name,
                        loaded.generation(),
                        cached.generation());
            }
            return cached;
        }
        refusal = null;
        setAside = 0;
        if (!cache.isClosed()) {
            snapshot = loaded;
        }
        return loaded;
    }

    private static boolean isOlder(ShardMap loaded, ShardMap cached) {
        return loaded.number() < cached.number()
                || (loaded.number() == cached.number() && loaded.generation() < cached.generation());
    }

    /**
     * Remembers why the store refused. A map that is gone, or that this version must not route, is not served from the cache any
     * longer; otherwise the cached generation stays in use.
     */
    private void refuse(RuntimeException refused) {
        boolean gone = refused instanceof ShardMapException known
                && (known.code() == ErrorCode.UNKNOWN_MAP || known.code() == ErrorCode.UNSUPPORTED_MAP);
        lock.lock();
        try {
            refusal = refused;
            refusedAt = cache.config().nanoTime().getAsLong();
            if (gone) {
                snapshot = null;
                cache.evict(this);
            }
        } finally {
            lock.unlock();
        }
    }

    private long elapsedSince(long then) {
        return cache.config().nanoTime().getAsLong() - then;
    }
}
