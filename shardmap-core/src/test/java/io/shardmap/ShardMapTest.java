package io.shardmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shardmap.VirtualShard.State;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardMapTest {
    private static final int ROUTES = 100_000;
    private static final List<Server> SERVERS = List.of(new Server("s1", null), new Server("s2", null));
    private static final List<VirtualShard> PLACED =
            List.of(placed(0, "s1", 4), placed(1, "s2", 5), VirtualShard.unassigned(2));

    @Test
    void aKeyRoutesToTheServerOfItsVirtualShard() {
        ShardMap map = identity(KeyType.LONG, PLACED);

        assertEquals(new Route("ids", 7, 1, 5, SERVERS.get(1), 3), map.route(1));
        for (Object key : List.of((byte) 1, (short) 1, 1, 1L, new ShardKey.Integral(1))) {
            assertEquals(map.route(1), map.route(key));
        }
    }

    @Test
    void keysWithTheSameHashCodeRouteBySeparateWays() {
        ShardMap map = map(KeyType.STRING, new KeyFunction.Modulo(100), allPlaced(100));

        assertEquals(73, map.virtualShardOf("Aa"));
        assertEquals(12, map.virtualShardOf("BB"));
        ShardMap numbers = map(KeyType.INTEGER, new KeyFunction.Modulo(1_000), allPlaced(1_000));
        assertNotEquals(numbers.route(31), numbers.route(256));
        for (int key = 0; key < 1_000; key++) {
            assertEquals(key, numbers.route(key).virtualShard());
        }
    }

    @Test
    void keysOutsideEveryVirtualShardAreUnmapped() {
        ShardMap map = identity(KeyType.LONG, PLACED);

        for (long key : new long[] {3, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertEquals(
                    "ids",
                    assertThrows(UnmappedKeyException.class, () -> map.route(key))
                            .map());
            assertThrows(UnmappedKeyException.class, () -> map.route((Object) key));
        }
        assertThrows(UnmappedKeyException.class, () -> map.routeOf(-1));
        assertThrows(UnmappedKeyException.class, () -> map.routeOf(3));
    }

    @Test
    void anUnassignedVirtualShardIsRefusedWithTheCommandThatPlacesIt() {
        UnmappedKeyException refusal = assertThrows(
                UnmappedKeyException.class, () -> identity(KeyType.LONG, PLACED).route(2));

        assertTrue(refusal.getMessage().contains("shardmap shard assign --map ids 2"), refusal.getMessage());
    }

    @Test
    void keysOfAnotherTypeAreRefusedOnEveryWayIn() {
        ShardMap longs = identity(KeyType.LONG, PLACED);
        ShardMap integers = identity(KeyType.INTEGER, PLACED);
        ShardMap texts = map(KeyType.STRING, new KeyFunction.Modulo(3), allPlaced(3));

        assertThrows(InvalidKeyException.class, () -> longs.route("1"));
        assertThrows(InvalidKeyException.class, () -> longs.route(new UUID(0, 1)));
        assertThrows(InvalidKeyException.class, () -> longs.route(new ShardKey.Text("1")));
        assertThrows(InvalidKeyException.class, () -> integers.route(1L << 32));
        assertThrows(InvalidKeyException.class, () -> integers.route(new ShardKey.Integral(1L << 32)));
        assertThrows(InvalidKeyException.class, () -> texts.route(1));
        assertThrows(InvalidKeyException.class, () -> texts.route((Object) 1));
        assertThrows(InvalidKeyException.class, () -> texts.route(new ShardKey.Text("a\0")));
    }

    @Test
    void placementsListTheServersThatHoldSomething() {
        List<VirtualShard> shards = List.of(placed(0, "s1", 1), VirtualShard.unassigned(1), placed(2, "s1", 1));

        assertEquals(Map.of("s1", List.of(0, 2)), identity(KeyType.LONG, shards).placements());
    }

    @Test
    void serversThatHoldNothingAreKnownAllTheSame() {
        ShardMap map = identity(
                KeyType.LONG,
                List.of(VirtualShard.unassigned(0), VirtualShard.unassigned(1), VirtualShard.unassigned(2)));

        assertEquals(SERVERS.get(1), map.server("s2"));
        assertThrows(UnknownServerException.class, () -> map.server("s3"));
    }

    @Test
    void aMapThatContradictsItselfIsRefused() {
        KeyFunction three = new KeyFunction.Identity(3);
        refused(() -> map(KeyType.LONG, three, PLACED.subList(0, 2)));
        refused(() -> map(KeyType.LONG, three, List.of(PLACED.get(0), PLACED.get(2), PLACED.get(1))));
        refused(() -> map(KeyType.LONG, three, List.of(PLACED.get(0), PLACED.get(1), placed(2, "s3", 1))));
        refused(() -> map(KeyType.STRING, three, PLACED));
        refused(() -> new ShardMap("ids", 0, KeyType.LONG, new Strategy.Lookup(three), 1, PLACED, SERVERS, List.of()));
        refused(() ->
                new ShardMap("ids", 65_536, KeyType.LONG, new Strategy.Lookup(three), 1, PLACED, SERVERS, List.of()));
        refused(() -> new ShardMap("ids", 1, KeyType.LONG, new Strategy.Lookup(three), 0, PLACED, SERVERS, List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Books", "1books", "_books", "bo oks", "bücher", "books;", "books\n"})
    void namesThatDifferOnlyByCaseOrNeedQuotingCannotExist(String name) {
        refused(() -> ShardMap.requireName(name));
    }

    @Test
    void namesHaveAtMostFiftyCharacters() {
        assertEquals("b".repeat(50), ShardMap.requireName("b".repeat(50)));
        refused(() -> ShardMap.requireName("b".repeat(51)));
    }

    @Test
    void aStrategyThatThisVersionCannotRouteIsRefusedByName() {
        ShardMap map = new ShardMap("ids", 7, KeyType.LONG, new Strategy.Directory(), 3, PLACED, SERVERS, List.of());

        UnsupportedShardMapException refusal = assertThrows(UnsupportedShardMapException.class, () -> map.route(1));
        assertTrue(refusal.getMessage().contains("directory"), refusal.getMessage());
        assertEquals("s2", map.routeOf(1).server().name());
    }

    @Test
    void aRangeMapRoutesBySlicesAndRefusesKeysInItsGaps() {
        Strategy.Range range = new Strategy.Range(List.of(
                Strategy.Range.Slice.of(KeyType.INTEGER, 1, null, 0),
                Strategy.Range.Slice.of(KeyType.INTEGER, 0, 100, null)));
        ShardMap map = map(KeyType.INTEGER, range, PLACED.subList(0, 2));

        assertEquals("s2", map.route(Integer.MIN_VALUE).server().name());
        assertEquals("s2", map.route((Object) (short) -1).server().name());
        assertEquals("s1", map.route(100).server().name());
        assertEquals("s1", map.route((Object) Integer.MAX_VALUE).server().name());
        for (int key : new int[] {0, 50, 99}) {
            UnmappedKeyException refusal = assertThrows(UnmappedKeyException.class, () -> map.route(key));
            assertTrue(refusal.getMessage().contains("no slice of the map holds it"), refusal.getMessage());
            assertThrows(UnmappedKeyException.class, () -> map.virtualShardOf(key));
        }
        assertThrows(InvalidKeyException.class, () -> map.route(1L << 40), "not the slice with an open end");
        assertThrows(InvalidKeyException.class, () -> map.route("1"));
    }

    @Test
    void aHashMapRoutesByTheTokenOfItsKeyType() {
        ShardMap integers = map(KeyType.INTEGER, Strategy.Hash.even(2), PLACED.subList(0, 2));
        ShardMap longs = map(KeyType.LONG, Strategy.Hash.even(2), PLACED.subList(0, 2));

        assertEquals("s1", integers.route(1).server().name(), "token of int 1 is negative");
        assertEquals("s2", longs.route(1).server().name(), "token of bigint 1 is positive");
        assertEquals(integers.route(3), integers.route((Object) 3));
        assertThrows(InvalidKeyException.class, () -> integers.route(1L << 32));
        assertThrows(InvalidKeyException.class, () -> longs.route("1"));
    }

    @Test
    void aMapHasOneVirtualShardPerSlice() {
        refused(() -> map(KeyType.LONG, Strategy.Hash.even(2), PLACED));
        refused(() -> map(KeyType.LONG, Strategy.Range.cutAt(KeyType.LONG, List.of(1)), PLACED));
        refused(() -> map(KeyType.LONG, Strategy.Range.cutAt(KeyType.STRING, List.of("a", "b")), PLACED));
    }

    @Test
    void integralKeysRouteWithoutAllocatingInALargeMapOfAnyStrategy() {
        int count = Strategy.MAX_VIRTUAL_SHARDS;
        List<Long> cuts = LongStream.range(1, count).mapToObj(i -> i * 1_000).toList();
        for (Strategy strategy : List.of(
                new Strategy.Lookup(new KeyFunction.Modulo(count)),
                Strategy.Hash.even(count),
                Strategy.Range.cutAt(KeyType.LONG, cuts))) {
            ShardMap map = map(KeyType.LONG, strategy, allPlaced(count));
            assertEquals(map.virtualShardOf(12_345_678), map.route(12_345_678).virtualShard());
            routeMany(map);
            long bytes = routeMany(map);
            assertTrue(bytes < ROUTES, strategy.strategyName() + ": " + bytes + " bytes for " + ROUTES + " routes");
        }
    }

    private static long routeMany(ShardMap map) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long sum = 0;
        for (long key = 0; key < ROUTES; key++) {
            sum += map.route(key * 7_919).virtualShard();
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(sum > 0);
        return bytes;
    }

    @Test
    void aMapDoesNotChangeWithTheListsItWasMadeOf() {
        List<VirtualShard> shards = new ArrayList<>(PLACED);
        ShardMap map = identity(KeyType.LONG, shards);
        shards.clear();

        assertEquals(PLACED, map.virtualShards());
    }

    private static ShardMap identity(KeyType type, List<VirtualShard> shards) {
        return map(type, new KeyFunction.Identity(3), shards);
    }

    private static ShardMap map(KeyType type, KeyFunction function, List<VirtualShard> shards) {
        return map(type, new Strategy.Lookup(function), shards);
    }

    private static ShardMap map(KeyType type, Strategy strategy, List<VirtualShard> shards) {
        return new ShardMap("ids", 7, type, strategy, 3, shards, SERVERS, List.of());
    }

    private static List<VirtualShard> allPlaced(int count) {
        List<VirtualShard> shards = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            shards.add(placed(id, "s1", 1));
        }
        return shards;
    }

    private static VirtualShard placed(int id, String server, long epoch) {
        return new VirtualShard(id, server, epoch, State.ASSIGNED);
    }

    private static void refused(Runnable definition) {
        assertEquals(
                ErrorCode.INVALID_DEFINITION,
                assertThrows(ShardMapException.class, definition::run).code());
    }
}
