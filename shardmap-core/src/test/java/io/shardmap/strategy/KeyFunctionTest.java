package io.shardmap.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.InvalidKeyException;
import io.shardmap.ShardMapException;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFunctionTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "10, 10",
        "11, -1",
        "-1, -1",
        "9223372036854775807, -1",
        "-9223372036854775808, -1",
        "4294967296, -1"
    })
    void identityTakesTheNumberOfTheVirtualShard(long key, int virtualShard) {
        KeyFunction identity = new KeyFunction.Identity(11);

        assertEquals(virtualShard, identity.virtualShardOf(key));
        assertEquals(virtualShard, identity.virtualShardOf(new ShardKey.Integral(key)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "12, 5",
        "-1, 6",
        "-7, 0",
        "-8, 6",
        "9223372036854775807, 0",
        "-9223372036854775808, 6",
        "31, 3",
        "256, 4"
    })
    void moduloIsNeverNegative(long key, int virtualShard) {
        KeyFunction modulo = new KeyFunction.Modulo(7);

        assertEquals(virtualShard, modulo.virtualShardOf(key));
        assertEquals(virtualShard, modulo.virtualShardOf(new ShardKey.Integral(key)));
    }

    /** Golden values, from an implementation in another language: they must never change. */
    @ParameterizedTest
    @CsvSource({"'', 0", "123456789, 62", "Aa, 73", "BB, 12", "Zürich, 98", "📚, 5"})
    void moduloOfTextIsThatOfItsCrc32(String text, int virtualShard) {
        assertEquals(virtualShard, new KeyFunction.Modulo(100).virtualShardOf(new ShardKey.Text(text)));
    }

    @ParameterizedTest
    @CsvSource({
        "00000000-0000-0000-0000-000000000000, 0",
        "00000000-0000-0000-0000-000000000065, 1",
        "ffffffff-ffff-ffff-ffff-ffffffffffff, 55",
        "0fe1d2c3-b4a5-4968-8776-65544332211f, 71"
    })
    void moduloOfAUuidIsThatOfAnUnsignedNumber(UUID uuid, int virtualShard) {
        KeyFunction modulo = new KeyFunction.Modulo(100);

        assertEquals(virtualShard, modulo.virtualShardOf(new ShardKey.Uuid(uuid)));
    }

    @Test
    void everyResultIsAVirtualShardOrUnmapped() {
        long seed = 7;
        Random random = new Random(seed);
        for (int count : new int[] {1, 2, 11, 1_000, Strategy.MAX_VIRTUAL_SHARDS}) {
            KeyFunction modulo = new KeyFunction.Modulo(count);
            for (int i = 0; i < 1_000; i++) {
                long key = random.nextLong();
                int virtualShard = modulo.virtualShardOf(key);
                assertTrue(virtualShard >= 0 && virtualShard < count, () -> "seed=" + seed + ", key=" + key);
            }
        }
    }

    @Test
    void theIsbnFunctionHasElevenResultsAndTakesText() {
        KeyFunction isbn = new KeyFunction.IsbnCheckDigit();

        assertEquals(11, isbn.virtualShards());
        assertEquals(6, isbn.virtualShardOf(new ShardKey.Text("978-8-1130-1024-6")));
        assertThrows(InvalidKeyException.class, () -> isbn.virtualShardOf(new ShardKey.Text("978-8-1130-1024-7")));
        assertTrue(isbn.accepts(KeyType.STRING));
        assertFalse(isbn.accepts(KeyType.LONG));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Strategy.MAX_VIRTUAL_SHARDS + 1})
    void aCountOutOfRangeIsRefused(int count) {
        for (IntFunction<KeyFunction> make :
                List.<IntFunction<KeyFunction>>of(KeyFunction.Identity::new, KeyFunction.Modulo::new)) {
            ShardMapException refusal = assertThrows(ShardMapException.class, () -> make.apply(count));
            assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        }
    }
}
