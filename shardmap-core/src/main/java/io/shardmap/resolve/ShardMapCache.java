package io.shardmap.resolve;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.shardmap.ShardMap;
import io.shardmap.store.ShardMapStore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The maps that this process has used, kept fresh. Whole maps are cached, so one is either known completely or not at all.
 *
 * <ul>
 *   <li>A hit is one volatile read. It never waits, not even for a running refresh.
 *   <li>A miss loads the map once, however many threads ask; all get the result or the same error.
 *   <li>By age: one daemon thread, started at the first use, asks once per interval which maps have changed and loads those. A map
 *       that was deleted is forgotten.
 *   <li>While the shard-map database does not answer, known maps stay in use, and it is asked once per back-off.
 *   <li>Generations only grow: a database restored from an older backup does not take the cache back.
 * </ul>
 *
 * <p>Safe for use by many threads, virtual ones included. After {@link #close} every use throws {@link IllegalStateException}: a map that
 * nobody refreshes is not handed out as if it were kept. How long one question to the database may take is a setting of the store's
 * data source; set a socket timeout there, because a refresh that hangs leaves the maps as old as they are.
 */
public final class ShardMapCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardMapCache.class);
    private static final int MAX_UNKNOWN_NAMES = 1_000;

    private final PatientStore store;
    private final ShardMapCacheConfig config;
    private final ShardMapCacheListener listener;
    private final AtomicBoolean refreshing;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** The maps that were loaded: as many as the shard-map database holds. */
    private final ConcurrentMap<String, CachedMap> known = new ConcurrentHashMap<>();
    /** Names that were asked for and not, or not yet, found: anybody can invent them, so they are bounded. */
    private final Cache<String, CachedMap> unproven = Caffeine.newBuilder()
            .maximumSize(MAX_UNKNOWN_NAMES)
            .executor(Runnable::run)
            .build();

    private long refreshedAt;

    /** Creates an empty cache; the store is not asked before the first use. */
    public ShardMapCache(ShardMapStore store, ShardMapCacheConfig config) {
        this(store, config, ShardMapCacheListener.NONE);
    }

    /** Creates an empty cache that tells a listener how it refreshes. */
    public ShardMapCache(ShardMapStore store, ShardMapCacheConfig config, ShardMapCacheListener listener) {
        this(store, config, listener, true);
    }

    /** Creates a cache that, for a test, refreshes only when {@link #refreshIfDue} is called. */
    ShardMapCache(ShardMapStore store, ShardMapCacheConfig config, boolean background) {
        this(store, config, ShardMapCacheListener.NONE, background);
    }

    ShardMapCache(ShardMapStore store, ShardMapCacheConfig config, ShardMapCacheListener listener, boolean background) {
        this.store = new PatientStore(store, config, listener);
        this.config = config;
        this.listener = listener;
        this.refreshing = new AtomicBoolean(!background);
        this.refreshedAt = config.nanoTime().getAsLong();
    }

    /**
     * Returns a resolver of one map; does not ask the store, so the map need not exist yet. Cheap, but meant to be kept.
     *
     * @throws IllegalStateException when the cache is closed, as do all methods of the resolver then
     */
    public ShardResolver resolver(String map) {
        return new CachedResolver(this, map);
    }

    /**
     * Returns the cached generation of a map, loading it if this is its first use.
     *
     * @throws io.shardmap.UnknownShardMapException when there is no such map
     * @throws io.shardmap.UnsupportedShardMapException when the map needs what this version does not know
     * @throws io.shardmap.StoreUnavailableException when the map is not known yet and the store does not answer
     * @throws IllegalStateException when the cache is closed
     */
    public ShardMap get(String map) {
        CachedMap place = known.get(map);
        ShardMap cached = place == null ? null : place.snapshot();
        return cached != null ? cached : place(map).get();
    }

    /** Returns the maps that were used, as they are cached; does not ask the store. Ordered by name; empty when closed. */
    public List<ShardMap> cached() {
        return known.values().stream()
                .map(CachedMap::snapshot)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(ShardMap::name))
                .toList();
    }

    /** Ends the refresh and forgets all maps. The store stays open: it belongs to the caller. */
    @Override
    public void close() {
        closed.countDown();
        known.values().forEach(CachedMap::forget);
        unproven.invalidateAll();
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    ShardMapCacheConfig config() {
        return config;
    }

    ShardMapCacheListener listener() {
        return listener;
    }

    PatientStore store() {
        return store;
    }

    /** Returns the one place where a name is cached now. */
    CachedMap place(String map) {
        if (isClosed()) {
            throw new IllegalStateException("shard-map cache must be open: map=" + map + "; it was closed");
        }
        if (refreshing.compareAndSet(false, true)) {
            startRefreshing();
        }
        CachedMap place = known.get(map);
        if (place != null) {
            return place;
        }
        CachedMap candidate = unproven.get(map, name -> new CachedMap(name, this));
        // Looked at again: it may have become known, and left the unproven ones, in between.
        return known.getOrDefault(map, candidate);
    }

    /** Returns how many names are remembered that are not, or not yet, maps. */
    long unprovenNames() {
        return unproven.estimatedSize();
    }

    /** Makes a place, whose map was loaded, the known one of its name, unless another one was faster; returns the known one. */
    CachedMap home(CachedMap loaded) {
        CachedMap first = known.putIfAbsent(loaded.name(), loaded);
        unproven.invalidate(loaded.name());
        return first == null ? loaded : first;
    }

    /** Makes a place, whose map is gone, one of the unproven ones again. */
    void evict(CachedMap gone) {
        unproven.put(gone.name(), gone);
        known.remove(gone.name(), gone);
    }

    /** Removes a place, whose map was deleted, altogether. */
    void forget(CachedMap deleted) {
        known.remove(deleted.name(), deleted);
    }

    private void startRefreshing() {
        Thread thread = new Thread(this::keepRefreshing, "shardmap-cache-refresh");
        thread.setDaemon(true);
        thread.start();
    }

    private void keepRefreshing() {
        while (!isClosed()) {
            try {
                refreshIfDue();
                long wait =
                        config.refreshInterval().toNanos() - (config.nanoTime().getAsLong() - refreshedAt);
                if (closed.await(wait, TimeUnit.NANOSECONDS)) {
                    return;
                }
            } catch (InterruptedException notOurs) {
                LOG.debug("Only close() ends the refresh of shard maps", notOurs);
            } catch (RuntimeException | Error bug) {
                LOG.error("Refresh of shard maps failed; it goes on", bug);
            }
        }
    }

    /** Asks the store which maps have changed and loads those, if an interval has passed. Called by one thread at a time. */
    void refreshIfDue() {
        long now = config.nanoTime().getAsLong();
        if (now - refreshedAt < config.refreshInterval().toNanos()) {
            return;
        }
        refreshedAt = now;
        refreshAll();
        listener.refreshed();
    }

    private void refreshAll() {
        // Listed before the store is asked: a map that is first used meanwhile is not in the answer, but not deleted
        // either.
        List<CachedMap> maps = List.copyOf(known.values());
        if (maps.isEmpty()) {
            return;
        }
        Map<String, Long> generations;
        try {
            generations = store.generations();
        } catch (RuntimeException unavailable) {
            LOG.debug("Shard maps keep their age", unavailable);
            return;
        }
        for (CachedMap map : maps) {
            Long generation = generations.get(map.name());
            if (generation == null) {
                LOG.warn("Shard map {} was deleted: its keys are refused from now on", map.name());
                map.forget();
            } else {
                map.refreshByAge(generation);
            }
        }
    }
}
