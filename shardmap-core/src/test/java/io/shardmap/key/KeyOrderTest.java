package io.shardmap.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyOrderTest {

    @Test
    void integersAreOrderedByValueAcrossTheirWholeRange() {
        ordered(KeyType.LONG, Long.MIN_VALUE, Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    @Test
    void textIsOrderedByCodePointNotByCharOrLocale() {
        ordered(
                KeyType.STRING,
                "",
                " ",
                "A",
                "Aa",
                "B",
                "Z",
                "a",
                "aa",
                "e\u0301",
                "z",
                "\u00e9",
                "\ud7ff",
                "\ue000",
                "\uffff",
                "\ud800\udc00",
                "\ud83d\udcda",
                "\udbff\udfff");
    }

    @Test
    void uuidsAreOrderedUnsigned() {
        ordered(
                KeyType.UUID,
                new UUID(0, 0),
                new UUID(0, 1),
                new UUID(0, -1),
                new UUID(1, 0),
                new UUID(Long.MAX_VALUE, -1),
                new UUID(Long.MIN_VALUE, 0),
                new UUID(-1, Long.MAX_VALUE),
                new UUID(-1, -1));
    }

    @Test
    void keysOfDifferentKindsHaveAnOrderToo() {
        ShardKey integral = new ShardKey.Integral(Long.MAX_VALUE);
        ShardKey text = new ShardKey.Text("");
        ShardKey uuid = new ShardKey.Uuid(new UUID(0, 0));

        assertOrdered(List.of(integral, text, uuid));
    }

    @Test
    void textHasTheOrderOfItsUtf8Bytes() {
        long seed = 20_261_130;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String one = text(random);
            String other = text(random);
            assertEquals(
                    Integer.signum(Arrays.compareUnsigned(utf8(one), utf8(other))),
                    Integer.signum(new ShardKey.Text(one).compareTo(new ShardKey.Text(other))),
                    () -> "seed=" + seed + ", one=" + one + ", other=" + other);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noKeyComesBeforeTheSmallest(KeyType type) {
        List<Object> some = switch (type) {
            case INTEGER -> List.of(Integer.MIN_VALUE, -1, 0);
            case LONG -> List.of(Long.MIN_VALUE, -1, 0);
            case STRING -> List.of("", "\u0001", "a");
            case UUID -> List.of(new UUID(0, 0), new UUID(Long.MIN_VALUE, 0));
        };
        assertEquals(type.smallest(), type.canonical(some.get(0)));
        some.forEach(value -> assertTrue(type.smallest().compareTo(type.canonical(value)) <= 0));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Random random) {
        int[] from = {'a', 0xe9, 0xd7f0, 0xe000, 0xfff0, 0x10000, 0x10fff0};
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            text.appendCodePoint(from[random.nextInt(from.length)] + random.nextInt(2));
        }
        return text.toString();
    }

    private static void ordered(KeyType type, Object... values) {
        List<ShardKey> keys = new ArrayList<>();
        for (Object value : values) {
            keys.add(type.canonical(value));
        }
        assertOrdered(keys);
    }

    private static void assertOrdered(List<ShardKey> keys) {
        for (int i = 0; i < keys.size(); i++) {
            for (int j = 0; j < keys.size(); j++) {
                String pair = keys.get(i) + " and " + keys.get(j);
                assertEquals(Integer.compare(i, j), Integer.signum(keys.get(i).compareTo(keys.get(j))), pair);
            }
        }
    }
}
