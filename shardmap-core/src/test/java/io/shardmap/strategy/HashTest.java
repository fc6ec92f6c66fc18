package io.shardmap.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ShardMapException;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.strategy.Strategy.Hash;
import io.shardmap.strategy.Strategy.Hash.TokenSlice;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashTest {
    private static final long MIN = Long.MIN_VALUE;
    private static final long MAX = Long.MAX_VALUE;

    @Test
    void evenSlicesAreQuartersOfTheRing() {
        assertEquals(
                List.of(
                        new TokenSlice(0, MIN, (MIN >> 1) - 1),
                        new TokenSlice(1, MIN >> 1, -1),
                        new TokenSlice(2, 0, (1L << 62) - 1),
                        new TokenSlice(3, 1L << 62, MAX)),
                Hash.even(4).slices());
        assertEquals(List.of(new TokenSlice(0, MIN, MAX)), Hash.even(1).slices());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 11, 1_000, 65_535, 65_536})
    void evenSlicesDifferByAtMostOneToken(int count) {
        List<TokenSlice> slices = Hash.even(count).slices();

        long least = Long.divideUnsigned(-count, count) + 1;
        assertEquals(count, slices.size());
        for (int i = 0; i < count; i++) {
            TokenSlice slice = slices.get(i);
            long tokens = slice.last() - slice.first() + 1;
            assertTrue(tokens == least || tokens == least + 1, slice.toString());
            assertEquals(i, slice.virtualShard());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65_537})
    void aCountOutOfRangeIsRefused(int count) {
        assertThrows(ShardMapException.class, () -> Hash.even(count));
    }

    @Test
    void slicesGivenInAnyOrderAreKeptInTokenOrder() {
        Hash hash = new Hash(List.of(new TokenSlice(0, 0, MAX), new TokenSlice(1, MIN, -1)));

        assertEquals(List.of(new TokenSlice(1, MIN, -1), new TokenSlice(0, 0, MAX)), hash.slices());
        assertEquals(1, hash.finder(KeyType.LONG).virtualShardOf(new ShardKey.Integral(9_223_372_036_854_775_807L)));
    }

    @Test
    void slicesAreNumberedFromZeroWithoutAGap() {
        assertThrows(ShardMapException.class, () -> new Hash(List.of(new TokenSlice(1, MIN, MAX))));
        assertThrows(
                ShardMapException.class,
                () -> new Hash(List.of(new TokenSlice(0, MIN, -1), new TokenSlice(0, 0, MAX))));
    }

    @Test
    void aKeyBelongsToTheSliceOfItsTokenEvenAtTheEdge() {
        long token = -4_069_959_284_402_364_209L;
        Hash edge = new Hash(List.of(
                new TokenSlice(0, MIN, token - 1), new TokenSlice(1, token, token), new TokenSlice(2, token + 1, MAX)));
        ShardKey.Integral one = new ShardKey.Integral(1);

        assertEquals(1, edge.finder(KeyType.INTEGER).virtualShardOf(1));
        assertEquals(1, edge.finder(KeyType.INTEGER).virtualShardOf(one));
        assertEquals(2, edge.finder(KeyType.LONG).virtualShardOf(one), "a bigint is another token than an int");
        assertNotEquals(Murmur3Token.ofInt(1), Murmur3Token.ofLong(1));
    }

    @Test
    void theEndsOfTheRingBelongToItsFirstAndLastSlice() {
        Hash ends = new Hash(
                List.of(new TokenSlice(0, MIN, MIN), new TokenSlice(1, MIN + 1, MAX - 1), new TokenSlice(2, MAX, MAX)));

        assertEquals(0, ends.finder(KeyType.STRING).virtualShardOf(new ShardKey.Text("")));
        ShardKey greatest = new ShardKey.Uuid(UUID.fromString("ee961629-b0b5-ad1d-319e-18e83892dbed"));
        assertEquals(2, ends.finder(KeyType.UUID).virtualShardOf(greatest));
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyIsInTheOneSliceThatHoldsItsToken(KeyType type) {
        long seed = 64;
        Random random = new Random(seed);
        Hash hash = Hash.even(1_000);
        VirtualShardFinder finder = hash.finder(type);
        int[] keysOf = new int[1_000];
        for (int i = 0; i < 50_000; i++) {
            long number = random.nextLong();
            ShardKey key = switch (type) {
                case INTEGER -> type.canonical((int) number);
                case LONG -> type.canonical(number);
                case STRING -> type.canonical("tenant " + number);
                case UUID -> type.canonical(new UUID(number, random.nextLong()));
            };
            int virtualShard = finder.virtualShardOf(key);
            TokenSlice slice = hash.slices().get(virtualShard);
            long token = token(type, key);
            assertTrue(slice.first() <= token && token <= slice.last(), () -> "seed=" + seed + ", key=" + key);
            keysOf[virtualShard]++;
        }
        for (int keys : keysOf) {
            // Mean 50, standard deviation 7.
            assertTrue(keys > 8 && keys < 92, () -> "seed=" + seed + ", keys=" + keys);
        }
    }

    private static long token(KeyType type, ShardKey key) {
        return switch (type) {
            case INTEGER -> Murmur3Token.ofInt((int) ((ShardKey.Integral) key).value());
            case LONG -> Murmur3Token.ofLong(((ShardKey.Integral) key).value());
            case STRING -> Murmur3Token.ofText(((ShardKey.Text) key).value());
            case UUID -> Murmur3Token.ofUuid(((ShardKey.Uuid) key).value());
        };
    }
}
