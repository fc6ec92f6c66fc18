package io.shardmap.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.InvalidKeyException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTypeTest {

    @ParameterizedTest
    @EnumSource(names = {"INTEGER", "LONG"})
    void everyIntegralJavaTypeGivesTheSameKey(KeyType type) {
        ShardKey six = new ShardKey.Integral(6);
        for (Object value : List.of((byte) 6, (short) 6, 6, 6L, BigInteger.valueOf(6))) {
            assertEquals(six, type.canonical(value), value.getClass().getName());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE})
    void anIntegerMapTakesEveryInt(int value) {
        assertEquals(new ShardKey.Integral(value), KeyType.INTEGER.canonical(value));
        assertEquals(KeyType.INTEGER.canonical(value), KeyType.INTEGER.canonical((long) value));
        assertEquals(KeyType.INTEGER.canonical(value), KeyType.INTEGER.parse(String.valueOf(value)));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void aLongMapTakesEveryLong(long value) {
        assertEquals(new ShardKey.Integral(value), KeyType.LONG.canonical(value));
        assertEquals(KeyType.LONG.canonical(value), KeyType.LONG.canonical(BigInteger.valueOf(value)));
        assertEquals(KeyType.LONG.canonical(value), KeyType.LONG.parse(String.valueOf(value)));
    }

    @Test
    void numbersOutOfRangeAreRefusedAndNeverCut() {
        refused(KeyType.INTEGER, Integer.MAX_VALUE + 1L);
        refused(KeyType.INTEGER, Integer.MIN_VALUE - 1L);
        refused(KeyType.LONG, BigInteger.ONE.shiftLeft(63));
        refused(KeyType.LONG, BigInteger.ONE.shiftLeft(63).negate().subtract(BigInteger.ONE));
        refused(KeyType.LONG, BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(6)));
    }

    @Test
    void valuesOfAnotherTypeAreRefusedByNameAndNeverConverted() {
        for (Object value : Arrays.asList("6", 6.0, 6f, new BigDecimal(6), '6', true, new UUID(0, 6), null)) {
            InvalidKeyException refusal = refused(KeyType.LONG, value);
            assertTrue(refusal.getMessage().contains("expected=LONG"), refusal.getMessage());
        }
        for (Object value : Arrays.asList(6, 'x', new StringBuilder("x"), new UUID(0, 6), null)) {
            refused(KeyType.STRING, value);
        }
        for (Object value : Arrays.asList("00000000-0000-0000-0000-000000000006", 6L, null)) {
            refused(KeyType.UUID, value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "Ada", "ADA", "ада", "\uD83D\uDCDA", "a\uD83D\uDCDAb", "é", "e\u0301"})
    void textIsKeptCharacterByCharacter(String text) {
        assertEquals(new ShardKey.Text(text), KeyType.STRING.canonical(text));
        assertEquals(text, KeyType.STRING.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDCDA", "\uDCDA\uD83D", "a\uD83D", "\uD83D\uD83D\uDCDA", "a\0b"})
    void textThatNoDatabaseCouldStoreIsRefused(String text) {
        refused(KeyType.STRING, text);
    }

    @Test
    void keysWithTheSameHashCodeStayDistinct() {
        assertEquals("Aa".hashCode(), "BB".hashCode());
        assertNotEquals(KeyType.STRING.canonical("Aa"), KeyType.STRING.canonical("BB"));
        UUID one = new UUID(1, 2);
        UUID other = new UUID(2, 1);
        assertEquals(one.hashCode(), other.hashCode());
        assertNotEquals(KeyType.UUID.canonical(one), KeyType.UUID.canonical(other));
        long big = 1L << 32;
        assertEquals(Long.hashCode(1), Long.hashCode(big));
        assertNotEquals(KeyType.LONG.canonical(1), KeyType.LONG.canonical(big));
        assertNotEquals(KeyType.LONG.canonical(31), KeyType.LONG.canonical(256));
        assertNotEquals(KeyType.LONG.canonical(-1L), KeyType.LONG.canonical(0L));
    }

    @Test
    void uuidsAreReadInTheirCanonicalFormOnly() {
        UUID uuid = UUID.fromString("0fe1d2c3-b4a5-4968-8776-65544332211f");
        assertEquals(new ShardKey.Uuid(uuid), KeyType.UUID.parse(uuid.toString()));
        assertEquals(new ShardKey.Uuid(uuid), KeyType.UUID.parse("0FE1D2C3-B4A5-4968-8776-65544332211F"));
        for (String text : List.of(
                "", "1-1-1-1-1", "0fe1d2c3b4a5496887766554433221 1f", "00000000001-0000-0000-0000-0000000001")) {
            assertThrows(InvalidKeyException.class, () -> KeyType.UUID.parse(text), text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "six", "6.0", "1e3", " 6", "9223372036854775808"})
    void textThatIsNoNumberIsRefused(String text) {
        assertThrows(InvalidKeyException.class, () -> KeyType.LONG.parse(text));
    }

    @ParameterizedTest
    @EnumSource
    void aKeyGivesBackTheValueItWasMadeOf(KeyType type) {
        Object value = switch (type) {
            case INTEGER, LONG -> 6L;
            case STRING -> "six";
            case UUID -> new UUID(0, 6);
        };
        assertEquals(value, type.canonical(value).toObject());
        assertEquals(type.canonical(value), type.parse(type.canonical(value).toString()));
    }

    private static InvalidKeyException refused(KeyType type, Object value) {
        InvalidKeyException refusal = assertThrows(InvalidKeyException.class, () -> type.canonical(value));
        assertEquals(ErrorCode.INVALID_KEY, refusal.code());
        return refusal;
    }
}
