package io.shardmap.resolve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.StoreUnavailableException;
import io.shardmap.UnknownShardMapException;
import io.shardmap.UnsupportedShardMapException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShardMapCacheTest {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration GAP = Duration.ofMillis(20);

    private final ManualClock clock = new ManualClock();
    private final FakeStore store = new FakeStore();
    private final ShardMapCacheConfig config = ShardMapCacheConfig.defaults().withNanoTime(clock);
    private final ShardMapCache cache = new ShardMapCache(store, config, false);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
        cache.close();
    }

    // Hits and misses

    @Test
    void theFirstUseLoadsAndLaterOnesDoNot() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        assertEquals(0, store.calls());

        assertEquals("s1", resolver.resolve(0).server().name());
        assertSame(resolver.map(), cache.get("books"));
        assertSame(resolver.map(), cache.resolver("books").map());
        assertEquals(1, store.loads.get());
    }

    @Test
    void sixtyFourThreadsThatMissLoadOnce() throws Exception {
        store.put("books", 1);
        CountDownLatch mayLoad = new CountDownLatch(1);
        store.beforeLoad = () -> await(mayLoad);

        List<Future<ShardMap>> running = start(64, () -> cache.resolver("books").map());
        eventually(() -> store.loads.get() == 1);
        mayLoad.countDown();

        Set<ShardMap> seen = new HashSet<>(results(running));
        assertEquals(1, seen.size());
        assertEquals(1, store.loads.get());
    }

    @Test
    void threadsThatMissTogetherGetTheSameError() throws Exception {
        store.goDown();
        CountDownLatch mayLoad = new CountDownLatch(1);
        store.beforeLoad = () -> await(mayLoad);

        List<Future<ShardMap>> running = start(16, () -> cache.get("books"));
        mayLoad.countDown();

        for (Future<ShardMap> one : running) {
            Throwable failure = assertThrows(ExecutionException.class, one::get).getCause();
            assertSame(store.failure, failure);
        }
        assertEquals(1, store.loads.get());
    }

    @Test
    void aHitDoesNotWaitForARunningRefresh() throws Exception {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 2);
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch mayLoad = new CountDownLatch(1);
        store.beforeLoad = () -> {
            loading.countDown();
            await(mayLoad);
        };
        Future<ShardMap> refresh = threads.submit(() -> resolver.refresh(1));
        await(loading);

        assertEquals(1, resolver.map().generation());
        assertEquals(1, resolver.resolve(0).generation());
        mayLoad.countDown();
        assertEquals(2, refresh.get().generation());
        assertEquals(2, resolver.map().generation());
    }

    @Test
    void mapsDoNotWaitForEachOther() throws Exception {
        store.put("slow", 1);
        store.put("books", 2, 1);
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch mayLoad = new CountDownLatch(1);
        store.beforeLoad = () -> {
            loading.countDown();
            await(mayLoad);
        };
        Future<ShardMap> slow = threads.submit(() -> cache.get("slow"));
        await(loading);
        store.beforeLoad = () -> {};

        assertEquals("books", cache.get("books").name());
        assertFalse(slow.isDone());
        mayLoad.countDown();
        slow.get();
    }

    // Unknown and unsupported maps

    @Test
    void anUnknownNameIsAskedForOncePerTtl() {
        ShardResolver resolver = cache.resolver("nosuch");
        for (int i = 0; i < 100; i++) {
            assertThrows(UnknownShardMapException.class, resolver::map);
            assertThrows(UnknownShardMapException.class, () -> cache.get("nosuch"));
        }
        assertEquals(1, store.loads.get());

        clock.advance(Duration.ofSeconds(1));
        assertThrows(UnknownShardMapException.class, resolver::map);
        assertEquals(2, store.loads.get());
    }

    @Test
    void aMapCreatedAfterItWasAskedForIsFoundAfterTheTtl() {
        ShardResolver resolver = cache.resolver("books");
        assertThrows(UnknownShardMapException.class, resolver::map);
        store.put("books", 1);

        assertThrows(UnknownShardMapException.class, resolver::map);
        clock.advance(Duration.ofSeconds(1));
        assertEquals(1, resolver.map().generation());
    }

    @Test
    void inventedNamesDoNotFillTheMemory() {
        for (int i = 0; i < 5_000; i++) {
            String name = "nosuch" + i;
            assertThrows(UnknownShardMapException.class, () -> cache.get(name));
        }
        assertTrue(cache.unprovenNames() <= 1_000, "unproven=" + cache.unprovenNames());
    }

    @Test
    void unknownNamesAreNoOutage() {
        store.put("books", 1);
        assertThrows(UnknownShardMapException.class, () -> cache.get("nosuch"));

        assertEquals(1, cache.get("books").generation());
    }

    @Test
    void aMapThatBecameUnsupportedIsNotServedAnyLonger() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 2);
        store.refusals.put("books", new UnsupportedShardMapException("books", "format version 2"));

        tick();

        assertThrows(UnsupportedShardMapException.class, resolver::map);
    }

    @Test
    void aGenerationThatContradictsItselfIsTriedOnceAndTheOldOneStaysInUse() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 2);
        store.refusals.put("books", new ShardMapException(ErrorCode.INVALID_DEFINITION, "a gap"));

        tick();
        tick();
        assertEquals(1, resolver.map().generation());
        assertEquals(2, store.loads.get());

        store.refusals.clear();
        store.put("books", 3);
        tick();
        assertEquals(3, resolver.map().generation());
    }

    // Refresh by age

    @Test
    void theRefreshLoadsOnlyMapsWhoseGenerationGrew() {
        store.put("books", 1);
        store.put("users", 2, 1);
        store.put("unused", 3, 1);
        ShardResolver books = cache.resolver("books");
        books.map();
        cache.get("users");
        store.put("books", 2);
        store.put("unused", 3, 2);

        tick();

        assertEquals(2, books.map().generation());
        assertEquals(1, store.questions.get());
        assertEquals(3, store.loads.get());
    }

    @Test
    void theStoreIsAskedOncePerInterval() {
        store.put("books", 1);
        cache.get("books");

        for (int i = 0; i < 10; i++) {
            cache.refreshIfDue();
        }
        assertEquals(0, store.questions.get());
        clock.advance(INTERVAL);
        for (int i = 0; i < 10; i++) {
            cache.refreshIfDue();
        }
        assertEquals(1, store.questions.get());
    }

    @Test
    void anUnusedCacheAsksNothing() {
        tick();

        assertEquals(0, store.calls());
    }

    @Test
    void aDeletedMapIsRefusedAndFoundAgainWhenItIsCreatedAnew() {
        store.put("books", 1, 7);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.remove("books");

        tick();
        assertThrows(UnknownShardMapException.class, resolver::map);
        assertThrows(UnknownShardMapException.class, () -> cache.get("books"));

        store.put("books", 2, 1);
        clock.advance(Duration.ofSeconds(1));
        assertEquals(2, resolver.map().number());
        store.put("books", 2, 2);
        tick();
        assertEquals(2, resolver.map().generation());
    }

    @Test
    void aMapDeletedAndCreatedBetweenTwoQuestionsReplacesTheOldOne() {
        store.put("books", 1, 7);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 2, 1);

        tick();

        assertEquals(2, resolver.map().number());
        assertEquals(1, resolver.map().generation());
    }

    @Test
    void theThreadRefreshesByItselfAndEndsWithTheCache() {
        store.put("books", 1);
        ShardMapCacheConfig quick = ShardMapCacheConfig.defaults().withRefreshInterval(Duration.ofMillis(5));
        try (ShardMapCache automatic = new ShardMapCache(store, quick)) {
            assertEquals(0, refreshThreads());
            ShardResolver resolver = automatic.resolver("books");
            resolver.map();
            store.put("books", 2);

            eventually(() -> resolver.map().generation() == 2);
            assertEquals(1, refreshThreads());
        }
        eventually(() -> refreshThreads() == 0);
    }

    private static long refreshThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("shardmap-cache-refresh"))
                .count();
    }

    // Outages

    @Test
    void knownMapsAreServedWhileTheStoreIsDownAndItIsAskedOncePerBackOff() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.goDown();

        int before = store.calls();
        List<Long> attempts = new ArrayList<>();
        for (long second = 0; second < 130; second += 1) {
            int calls = store.calls();
            clock.advance(Duration.ofSeconds(1));
            cache.refreshIfDue();
            for (int i = 0; i < 10; i++) {
                assertEquals(1, resolver.refresh(1).generation());
                assertEquals(1, resolver.map().generation());
            }
            if (store.calls() > calls) {
                assertEquals(calls + 1, store.calls(), "one attempt");
                attempts.add(second);
            }
        }
        assertEquals(List.of(0L, 1L, 3L, 7L, 15L, 31L, 61L, 91L, 121L), attempts);
        assertEquals(before + attempts.size(), store.calls());
    }

    @Test
    void anUnloadedMapIsRefusedAtOnceDuringAnOutage() {
        store.goDown();
        assertThrows(StoreUnavailableException.class, () -> cache.get("books"));

        for (int i = 0; i < 100; i++) {
            assertThrows(StoreUnavailableException.class, () -> cache.get("books"));
            assertThrows(StoreUnavailableException.class, () -> cache.get("users"));
        }
        assertEquals(1, store.calls());

        store.comeBack();
        store.put("books", 1);
        clock.advance(Duration.ofSeconds(1));
        assertEquals(1, cache.get("books").generation());
    }

    @Test
    void afterAnOutageTheNextOneStartsWithTheShortestBackOff() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.goDown();
        for (int i = 0; i < 5; i++) {
            resolver.refresh(1);
            clock.advance(Duration.ofSeconds(30));
        }
        store.comeBack();
        resolver.refresh(1);
        clock.advance(GAP);
        store.goDown();
        resolver.refresh(1);
        int calls = store.calls();

        clock.advance(Duration.ofSeconds(1));
        resolver.refresh(1);
        assertEquals(calls + 1, store.calls());
    }

    @Test
    void anyFailureOfTheStoreCountsAsAnOutage() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.failure = new IllegalStateException("pool is closed");

        assertEquals(1, resolver.refresh(1).generation());
        assertEquals(1, resolver.refresh(1).generation());
        assertEquals(2, store.calls());
    }

    // Stale servers

    @Test
    void aStaleRouteLoadsAtOnceUnlessTheCacheIsNewerAlready() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 2);

        assertEquals(2, resolver.refresh(1).generation());
        assertEquals(2, resolver.refresh(1).generation());
        assertEquals(2, store.loads.get());
    }

    @Test
    void aStormOfStaleRoutesLoadsOnce() throws Exception {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 2);
        CountDownLatch mayLoad = new CountDownLatch(1);
        store.beforeLoad = () -> await(mayLoad);

        List<Future<ShardMap>> running = start(64, () -> resolver.refresh(1));
        eventually(() -> store.loads.get() == 2);
        mayLoad.countDown();

        for (ShardMap seen : results(running)) {
            assertEquals(2, seen.generation());
        }
        assertEquals(2, store.loads.get());
    }

    @Test
    void insideTheGapTheCurrentMapIsReturnedAtOnce() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();

        for (int i = 0; i < 100; i++) {
            assertEquals(1, resolver.refresh(1).generation());
        }
        assertEquals(2, store.loads.get());

        store.put("books", 2);
        clock.advance(GAP);
        assertEquals(2, resolver.refresh(1).generation());
    }

    @Test
    void aLoadThatReadBeforeTheChangeDoesNotAnswerAStaleRoute() throws Exception {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        store.afterRead = () -> {
            hasRead.countDown();
            await(mayReturn);
        };
        store.put("books", 2);
        clock.advance(INTERVAL);
        Future<?> byAge = threads.submit(cache::refreshIfDue);
        await(hasRead);
        store.put("books", 3);
        FutureTask<ShardMap> stale = new FutureTask<>(() -> resolver.refresh(2));
        Thread joined = new Thread(stale);
        joined.start();
        eventually(() -> joined.getState() == Thread.State.WAITING);
        mayReturn.countDown();

        assertEquals(3, stale.get().generation());
        byAge.get();
    }

    @Test
    void aDeletedMapIsNoticedByAStaleRoute() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.remove("books");

        assertThrows(UnknownShardMapException.class, () -> resolver.refresh(1));
        assertThrows(UnknownShardMapException.class, resolver::map);
        assertEquals(2, store.loads.get());
    }

    // Generations only grow

    @Test
    void aRestoredOlderDatabaseDoesNotTakeTheCacheBack() {
        store.put("books", 5);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        store.put("books", 3);

        tick();
        tick();
        assertEquals(5, resolver.map().generation());
        assertEquals(2, store.loads.get(), "an older generation is looked at once");
        assertEquals(5, resolver.refresh(5).generation());

        store.put("books", 6);
        tick();
        assertEquals(6, resolver.map().generation());
    }

    @Test
    void generationsNeverGoBackUnderConcurrentRefreshes() throws Exception {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<Boolean>> readers = start(6, () -> {
            long last = 0;
            while (!stop.get()) {
                long seen = resolver.map().generation();
                if (seen < last || resolver.refresh(seen).generation() < seen) {
                    return false;
                }
                last = seen;
            }
            return true;
        });
        for (long generation = 2; generation < 3_000; generation++) {
            store.put("books", generation);
            clock.advance(GAP);
            if (generation % 50 == 0) {
                tick();
            }
        }
        stop.set(true);

        for (boolean grew : results(readers)) {
            assertTrue(grew);
        }
        clock.advance(GAP);
        assertEquals(2_999, resolver.refresh(2_998).generation());
    }

    @Test
    void deletionsAndLoadsAtTheSameTimeLeaveNoMapThatIsNotRefreshed() throws Exception {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<Boolean>> users = start(4, () -> {
            while (!stop.get()) {
                try {
                    resolver.refresh(resolver.map().generation());
                } catch (UnknownShardMapException deleted) {
                    Thread.onSpinWait();
                }
            }
            return true;
        });
        for (int number = 2; number < 2_000; number++) {
            store.remove("books");
            tick();
            store.put("books", number, 1);
            clock.advance(Duration.ofSeconds(1));
        }
        stop.set(true);
        results(users);

        store.put("books", 3_000, 2);
        clock.advance(Duration.ofSeconds(1));
        resolver.map();
        tick();
        assertEquals(3_000, resolver.map().number());
        assertSame(cache.get("books"), resolver.map());
    }

    // The end

    @Test
    void aClosedCacheRefusesEveryUse() {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        resolver.map();

        cache.close();
        cache.close();

        assertThrows(IllegalStateException.class, resolver::map);
        assertThrows(IllegalStateException.class, () -> resolver.resolve(0));
        assertThrows(IllegalStateException.class, () -> resolver.refresh(1));
        assertThrows(IllegalStateException.class, () -> cache.get("books"));
        assertThrows(IllegalStateException.class, () -> cache.resolver("books"));
    }

    @Test
    void aLoadThatEndsAfterTheCloseIsNotCached() throws Exception {
        store.put("books", 1);
        ShardResolver resolver = cache.resolver("books");
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch mayLoad = new CountDownLatch(1);
        store.beforeLoad = () -> {
            loading.countDown();
            await(mayLoad);
        };
        Future<ShardMap> running = threads.submit(resolver::map);
        await(loading);
        cache.close();
        mayLoad.countDown();

        assertEquals(1, running.get().generation());
        assertThrows(IllegalStateException.class, resolver::map);
    }

    @Test
    void separateCachesShareNothing() {
        store.put("books", 1);
        try (ShardMapCache other = new ShardMapCache(store, config, false)) {
            store.put("books", 1);
            ShardMap mine = cache.get("books");
            store.put("books", 2);
            assertNotSame(mine, other.get("books"));
        }
    }

    private void tick() {
        clock.advance(INTERVAL);
        cache.refreshIfDue();
    }

    private <T> List<Future<T>> start(int count, Callable<T> task) {
        CountDownLatch ready = new CountDownLatch(count);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(() -> {
                ready.countDown();
                await(ready);
                return task.call();
            }));
        }
        return running;
    }

    private static <T> List<T> results(List<Future<T>> running) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> one : running) {
            results.add(one.get());
        }
        return results;
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "condition must come true in time");
            Thread.yield();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
