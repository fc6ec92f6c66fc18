package io.shardmap.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.ErrorCode;
import io.shardmap.InvalidKeyException;
import io.shardmap.ShardMapException;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.strategy.Strategy.Range;
import io.shardmap.strategy.Strategy.Range.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RangeTest {
    private static final int UNMAPPED = VirtualShardFinder.UNMAPPED;

    @Test
    void theLowerBoundBelongsToASliceAndTheUpperDoesNot() {
        VirtualShardFinder finder = finder(KeyType.LONG, longs(0, 10, 20), longs(1, 20, 30));

        assertEquals(UNMAPPED, finder.virtualShardOf(9));
        assertEquals(0, finder.virtualShardOf(10));
        assertEquals(0, finder.virtualShardOf(19));
        assertEquals(1, finder.virtualShardOf(20));
        assertEquals(1, finder.virtualShardOf(29));
        assertEquals(UNMAPPED, finder.virtualShardOf(30));
    }

    @Test
    void keysInAGapAreUnmapped() {
        VirtualShardFinder finder = finder(KeyType.LONG, longs(0, null, -5), longs(1, 5, null));

        assertEquals(0, finder.virtualShardOf(Long.MIN_VALUE));
        assertEquals(0, finder.virtualShardOf(-6));
        assertEquals(UNMAPPED, finder.virtualShardOf(-5));
        assertEquals(UNMAPPED, finder.virtualShardOf(4));
        assertEquals(1, finder.virtualShardOf(5));
        assertEquals(1, finder.virtualShardOf(Long.MAX_VALUE));
    }

    @Test
    void onlyAnOpenSliceHoldsTheGreatestKey() {
        VirtualShardFinder closed = finder(KeyType.LONG, longs(0, Long.MIN_VALUE, Long.MAX_VALUE));
        VirtualShardFinder open = finder(KeyType.LONG, longs(0, Long.MAX_VALUE, null));

        assertEquals(0, closed.virtualShardOf(Long.MIN_VALUE));
        assertEquals(0, closed.virtualShardOf(Long.MAX_VALUE - 1));
        assertEquals(UNMAPPED, closed.virtualShardOf(Long.MAX_VALUE));
        assertEquals(0, open.virtualShardOf(Long.MAX_VALUE));
        assertEquals(UNMAPPED, open.virtualShardOf(Long.MAX_VALUE - 1));
    }

    @Test
    void textIsSlicedByCodePoint() {
        VirtualShardFinder finder =
                Range.cutAt(KeyType.STRING, List.of("M", "a", "\ud800\udc00")).finder(KeyType.STRING);

        assertEquals(0, finder.virtualShardOf(new ShardKey.Text("")));
        assertEquals(0, finder.virtualShardOf(new ShardKey.Text("Lz")));
        assertEquals(1, finder.virtualShardOf(new ShardKey.Text("M")));
        assertEquals(1, finder.virtualShardOf(new ShardKey.Text("Z\uffff")));
        assertEquals(2, finder.virtualShardOf(new ShardKey.Text("a")));
        assertEquals(2, finder.virtualShardOf(new ShardKey.Text("\uffff")), "before all characters beyond U+FFFF");
        assertEquals(3, finder.virtualShardOf(new ShardKey.Text("\ud83d\udcda")));
    }

    @Test
    void theEmptyTextIsABoundLikeAnyOther() {
        VirtualShardFinder finder = finder(
                KeyType.STRING, Slice.of(KeyType.STRING, 0, "", "\u0001"), Slice.of(KeyType.STRING, 1, "b", null));

        assertEquals(0, finder.virtualShardOf(new ShardKey.Text("")));
        assertEquals(UNMAPPED, finder.virtualShardOf(new ShardKey.Text("\u0001")));
        assertEquals(UNMAPPED, finder.virtualShardOf(new ShardKey.Text("azzz")));
        assertEquals(1, finder.virtualShardOf(new ShardKey.Text("b")));
    }

    @Test
    void uuidsAreSlicedUnsigned() {
        UUID half = new UUID(Long.MIN_VALUE, 0);
        VirtualShardFinder finder = Range.cutAt(KeyType.UUID, List.of(half)).finder(KeyType.UUID);

        assertEquals(0, finder.virtualShardOf(new ShardKey.Uuid(new UUID(0, 0))));
        assertEquals(0, finder.virtualShardOf(new ShardKey.Uuid(new UUID(Long.MAX_VALUE, -1))));
        assertEquals(1, finder.virtualShardOf(new ShardKey.Uuid(half)));
        assertEquals(1, finder.virtualShardOf(new ShardKey.Uuid(new UUID(-1, -1))));
    }

    @Test
    void everyFormOfOverlapIsRefused() {
        Slice middle = longs(0, 10, 20);
        for (Slice other : List.of(
                longs(1, 10, 20),
                longs(1, 5, 11),
                longs(1, 19, 25),
                longs(1, 12, 15),
                longs(1, 10, 11),
                longs(1, 19, 20),
                longs(1, 5, 25),
                longs(1, null, 11),
                longs(1, 19, null),
                longs(1, null, null))) {
            refused(() -> new Range(List.of(middle, other)));
            refused(() -> new Range(List.of(other, middle)));
        }
        refused(() -> new Range(List.of(longs(0, null, 1), longs(1, null, 5))));
        refused(() -> new Range(List.of(longs(0, 1, null), longs(1, 5, null))));
        refused(() -> new Range(List.of(longs(0, 0, 100), longs(1, 1, 2), longs(2, 50, 60))));
    }

    @Test
    void adjacentSlicesInAnyOrderAreTheSameRange() {
        Range range = new Range(List.of(longs(1, 20, 30), longs(2, 30, null), longs(0, null, 20)));

        assertEquals(List.of(longs(0, null, 20), longs(1, 20, 30), longs(2, 30, null)), range.slices());
        assertEquals(new Range(range.slices()), range);
    }

    @Test
    void slicesThatCanHoldNothingAreRefused() {
        refused(() -> longs(0, 5, 5));
        refused(() -> longs(0, 5, 4));
        refused(() -> new Range(List.of()));
        for (KeyType type : KeyType.values()) {
            Range range = new Range(List.of(new Slice(0, null, type.smallest())));
            refused(() -> range.requireFor(type));
            refused(() -> range.finder(type));
        }
    }

    @Test
    void slicesAreNumberedFromZeroWithoutAGap() {
        refused(() -> new Range(List.of(longs(1, null, null))));
        refused(() -> new Range(List.of(longs(0, null, 1), longs(0, 1, null))));
        refused(() -> new Range(List.of(longs(0, null, 1), longs(2, 1, null))));
        refused(() -> new Range(List.of(longs(-1, null, 1), longs(0, 1, null))));
    }

    @Test
    void boundsOfAnotherKeyTypeAreRefused() {
        Range longs = new Range(List.of(longs(0, null, 1L << 31), longs(1, 1L << 31, null)));
        Range texts = Range.cutAt(KeyType.STRING, List.of("a"));
        Range mixed = new Range(List.of(longs(0, null, 5), new Slice(1, new ShardKey.Text("a"), null)));

        assertEquals(longs, longs.requireFor(KeyType.LONG));
        refused(() -> longs.requireFor(KeyType.INTEGER));
        refused(() -> longs.requireFor(KeyType.STRING));
        refused(() -> texts.requireFor(KeyType.UUID));
        for (KeyType type : KeyType.values()) {
            refused(() -> mixed.requireFor(type));
        }
        refused(() -> new Range(List.of(new Slice(0, new ShardKey.Text("\0"), null))).requireFor(KeyType.STRING));
        assertThrows(InvalidKeyException.class, () -> Slice.of(KeyType.LONG, 0, "1", null));
        assertThrows(InvalidKeyException.class, () -> Range.cutAt(KeyType.LONG, List.of("1")));
    }

    @Test
    void boundsThatCannotBeStoredAreRefused() {
        Range longest = Range.cutAt(KeyType.STRING, List.of("x".repeat(Range.MAX_BOUND_LENGTH)));

        assertEquals(longest, longest.requireFor(KeyType.STRING));
        refused(() -> Range.cutAt(KeyType.STRING, List.of("x".repeat(Range.MAX_BOUND_LENGTH + 1))));
    }

    @Test
    void cutsMustAscend() {
        refused(() -> Range.cutAt(KeyType.LONG, List.of(5, 5)));
        refused(() -> Range.cutAt(KeyType.LONG, List.of(5, 4)));
        refused(() -> Range.cutAt(KeyType.INTEGER, List.of(Integer.MIN_VALUE)));
        assertEquals(
                List.of(longs(0, null, null)),
                Range.cutAt(KeyType.LONG, List.of()).slices());
    }

    /** The finder says what a look at every slice says, for random slices with gaps and keys on, below and above every bound. */
    @ParameterizedTest
    @EnumSource
    void findingIsTheSameAsLookingAtEverySlice(KeyType type) {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<ShardKey> bounds = new ArrayList<>(bounds(type, random));
            List<Slice> slices = slices(bounds, random);
            VirtualShardFinder finder = new Range(slices).finder(type);
            List<ShardKey> keys = new ArrayList<>(bounds);
            for (int i = 0; i < 100; i++) {
                keys.add(key(type, random));
            }
            for (ShardKey key : keys) {
                String when = "seed=" + seed + ", key=" + key + ", slices=" + slices;
                assertEquals(byLooking(slices, key), finder.virtualShardOf(key), when);
                if (key instanceof ShardKey.Integral integral) {
                    assertEquals(byLooking(slices, key), finder.virtualShardOf(integral.value()), when);
                }
            }
        }
    }

    private static int byLooking(List<Slice> slices, ShardKey key) {
        return slices.stream()
                .filter(slice -> slice.lower() == null || slice.lower().compareTo(key) <= 0)
                .filter(slice -> slice.upper() == null || key.compareTo(slice.upper()) < 0)
                .mapToInt(Slice::virtualShard)
                .findFirst()
                .orElse(UNMAPPED);
    }

    private static TreeSet<ShardKey> bounds(KeyType type, Random random) {
        TreeSet<ShardKey> bounds = new TreeSet<>();
        for (int wanted = 2 + random.nextInt(12); bounds.size() < wanted; ) {
            ShardKey bound = key(type, random);
            if (!bound.equals(type.smallest())) {
                bounds.add(bound);
            }
        }
        return bounds;
    }

    private static List<Slice> slices(List<ShardKey> bounds, Random random) {
        List<Integer> numbers = new ArrayList<>();
        List<ShardKey[]> ends = new ArrayList<>();
        for (int i = 0; i <= bounds.size(); i++) {
            if (i == 0 || random.nextInt(3) > 0) {
                numbers.add(numbers.size());
                ends.add(new ShardKey[] {i == 0 ? null : bounds.get(i - 1), i == bounds.size() ? null : bounds.get(i)});
            }
        }
        Collections.shuffle(numbers, random);
        List<Slice> slices = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) {
            slices.add(new Slice(numbers.get(i), ends.get(i)[0], ends.get(i)[1]));
        }
        Collections.shuffle(slices, random);
        return slices;
    }

    private static ShardKey key(KeyType type, Random random) {
        long number = random.nextLong() >> random.nextInt(Long.SIZE);
        return switch (type) {
            case INTEGER -> type.canonical((int) number);
            case LONG -> type.canonical(number);
            case STRING ->
                type.canonical(random.ints(random.nextInt(4), 0, 4)
                        .mapToObj(
                                i -> List.of("a", "b", "\ue000", "\ud83d\udcda").get(i))
                        .reduce("", String::concat));
            case UUID -> type.canonical(new UUID(number, random.nextLong()));
        };
    }

    private static VirtualShardFinder finder(KeyType type, Slice... slices) {
        return new Range(List.of(slices)).finder(type);
    }

    private static Slice longs(int virtualShard, Number lower, Number upper) {
        return Slice.of(KeyType.LONG, virtualShard, lower, upper);
    }

    private static void refused(Supplier<Object> definition) {
        ShardMapException refusal = assertThrows(ShardMapException.class, definition::get);
        assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code(), refusal.getMessage());
    }
}
