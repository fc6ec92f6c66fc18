package io.shardmap.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.key.KeyType;
import io.shardmap.strategy.Strategy.Hash.TokenSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrategyTest {
    private static final long MIN = Long.MIN_VALUE;
    private static final long MAX = Long.MAX_VALUE;

    @Test
    void aRingOfTokensIsCoveredExactlyOnce() {
        assertEquals(
                1,
                new Strategy.Hash(List.of(new TokenSlice(0, MIN, MAX))).slices().size());
        assertEquals(
                3,
                new Strategy.Hash(
                                List.of(new TokenSlice(0, MIN, -1), new TokenSlice(1, 0, 0), new TokenSlice(2, 1, MAX)))
                        .slices()
                        .size());
    }

    @Test
    void aRingWithGapOverlapOrWrongEndIsRefused() {
        List<List<TokenSlice>> wrong = List.of(
                List.of(),
                List.of(new TokenSlice(0, MIN + 1, MAX)),
                List.of(new TokenSlice(0, MIN, MAX - 1)),
                List.of(new TokenSlice(0, MIN, -1), new TokenSlice(1, 1, MAX)),
                List.of(new TokenSlice(0, MIN, 0), new TokenSlice(1, 0, MAX)),
                List.of(new TokenSlice(0, MIN, MAX), new TokenSlice(1, MIN, MAX)),
                List.of(new TokenSlice(0, MIN, -1), new TokenSlice(1, 0, -1), new TokenSlice(2, 0, MAX)));
        for (List<TokenSlice> slices : wrong) {
            ShardMapException refusal =
                    assertThrows(ShardMapException.class, () -> new Strategy.Hash(slices), slices.toString());
            assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        }
    }

    @Test
    void aKeyFunctionIsRefusedForKeysThatItDoesNotTake() {
        Strategy isbn = new Strategy.Lookup(new KeyFunction.IsbnCheckDigit());
        Strategy identity = new Strategy.Lookup(new KeyFunction.Identity(4));

        assertEquals(isbn, isbn.requireFor(KeyType.STRING));
        assertThrows(ShardMapException.class, () -> isbn.requireFor(KeyType.LONG));
        assertEquals(identity, identity.requireFor(KeyType.INTEGER));
        assertThrows(ShardMapException.class, () -> identity.requireFor(KeyType.STRING));
        assertThrows(ShardMapException.class, () -> identity.requireFor(KeyType.UUID));
    }

    @Test
    void strategiesDoNotChangeWithTheListsTheyWereMadeOf() {
        List<TokenSlice> slices = new ArrayList<>(List.of(new TokenSlice(0, MIN, MAX)));
        Strategy.Hash hash = new Strategy.Hash(slices);
        slices.clear();

        assertEquals(1, hash.slices().size());
    }

    @Test
    void everyStrategyHasTheNameItIsStoredUnder() {
        assertEquals("lookup", new Strategy.Lookup(new KeyFunction.Identity(1)).strategyName());
        assertEquals("directory", new Strategy.Directory().strategyName());
        assertEquals("range", Strategy.Range.cutAt(KeyType.LONG, List.of()).strategyName());
        assertEquals("hash", new Strategy.Hash(List.of(new TokenSlice(0, MIN, MAX))).strategyName());
        assertEquals("geographic", new Strategy.Geographic(Map.of()).strategyName());
    }
}
