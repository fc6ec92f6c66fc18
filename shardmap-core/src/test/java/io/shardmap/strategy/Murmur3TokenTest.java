package io.shardmap.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Murmur3TokenTest {
    private static final long SEED = 4_711;
    private static final int KEYS = 20_000;
    private static final Murmur3TokenFactory CASSANDRA = new Murmur3TokenFactory();

    /** Golden values: rows of clusters lie where these say, so they must never change. */
    @ParameterizedTest
    @CsvSource({
        "1, -4069959284402364209",
        "2, -3248873570005575792",
        "3, 9010454139840013625",
        "0, -3485513579396041028",
        "-1, 7297452126230313552",
        "2147483647, -765994672030311617",
        "-2147483648, -420533958509279465"
    })
    void tokensOfInts(int key, long token) {
        assertEquals(token, Murmur3Token.ofInt(key));
    }

    /** {@code 0xfe..} has a sign-extended tail, {@code 0x10..} has not. */
    @ParameterizedTest
    @CsvSource({
        "-72340172838076674, -8927430733708461935",
        "1157442765409226768, 1446172840243228796",
        "0, 2945182322382062539",
        "1, 6292367497774912474",
        "-1, 7071048584287372947",
        "9223372036854775807, -1722304415079482439",
        "-9223372036854775808, 9204767954415360687"
    })
    void tokensOfBigints(long key, long token) {
        assertEquals(token, Murmur3Token.ofLong(key));
    }

    @ParameterizedTest
    @CsvSource({
        "123, -7468325962851647638",
        "9223372036854775807, 7162290910810015547",
        "'', -9223372036854775808",
        "a, -8839064797231613815",
        "Zürich, -5540362457254946660",
        "📚, -801909944494171976",
        "ISBN 978-8-1130-1024-6, -2511061835221857776"
    })
    void tokensOfTexts(String key, long token) {
        assertEquals(token, Murmur3Token.ofText(key));
    }

    @ParameterizedTest
    @CsvSource({
        "00000000-0000-0000-0000-000000000000, 5457549051747178710",
        "0fe1d2c3-b4a5-4968-8776-65544332211f, 527473731919817531",
        "ffffffff-ffff-ffff-ffff-ffffffffffff, -2824192546314762522"
    })
    void tokensOfUuids(UUID key, long token) {
        assertEquals(token, Murmur3Token.ofUuid(key));
    }

    /** The first of these hashes to -2^63 itself; the keys were found by running the hash backwards. */
    @ParameterizedTest
    @CsvSource({
        "ee961629-b0b5-ad1d-319e-18e83892dbed, 9223372036854775807",
        "825e3380-05a8-3d5c-e7ec-3afc6a63448b, 9223372036854775807",
        "5ed0b893-f10c-088c-cf0e-007bf6edbf61, 0"
    })
    void noKeyButTheEmptyOneHasTheSmallestToken(UUID key, long token) {
        assertEquals(token, Murmur3Token.ofUuid(key));
        assertEquals(token, cassandra(uuid(key)));
    }

    @Test
    void bytesOfAllValuesInSeveralBlocksHaveTheTokenThatOtherClientsGive() {
        byte[] block = {0, (byte) 0xff, 0x10, (byte) 0xfa, (byte) 0x99};
        ByteBuffer bytes = ByteBuffer.allocate(50);
        for (int i = 0; i < 10; i++) {
            bytes.put(block);
        }

        assertEquals(5837342703291459765L, Murmur3Token.ofBytes(bytes.array()));
    }

    @Test
    void numbersAndUuidsHaveTheTokensOfCassandrasDriver() {
        Random random = new Random(SEED);
        for (int i = 0; i < KEYS; i++) {
            long key = random.nextLong() >> random.nextInt(Long.SIZE);
            int small = (int) key;
            UUID uuid = new UUID(key, random.nextLong());
            assertEquals(cassandra(bytes(Integer.BYTES).putInt(small)), Murmur3Token.ofInt(small), () -> seed(small));
            assertEquals(cassandra(bytes(Long.BYTES).putLong(key)), Murmur3Token.ofLong(key), () -> seed(key));
            assertEquals(cassandra(uuid(uuid)), Murmur3Token.ofUuid(uuid), () -> seed(uuid));
        }
    }

    @Test
    void bytesOfEveryLengthHaveTheTokensOfCassandrasDriver() {
        Random random = new Random(SEED);
        for (int i = 0; i < KEYS; i++) {
            byte[] key = new byte[1 + i % 70];
            random.nextBytes(key);
            assertEquals(
                    cassandra(bytes(key.length).put(key)),
                    Murmur3Token.ofBytes(key),
                    () -> seed("length " + key.length));
        }
    }

    @Test
    void textsHaveTheTokensOfCassandrasDriver() {
        Random random = new Random(SEED);
        int[] from = {' ', 'A', 'a', 0xe0, 0x4e00, 0x1f4d0};
        for (int i = 0; i < KEYS; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 1 + random.nextInt(40); length > 0; length--) {
                text.appendCodePoint(from[random.nextInt(from.length)] + random.nextInt(26));
            }
            byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
            assertEquals(
                    cassandra(bytes(utf8.length).put(utf8)), Murmur3Token.ofText(text.toString()), () -> seed(text));
        }
    }

    private static ByteBuffer uuid(UUID key) {
        return bytes(2 * Long.BYTES).putLong(key.getMostSignificantBits()).putLong(key.getLeastSignificantBits());
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private static long cassandra(ByteBuffer filled) {
        return ((com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token) CASSANDRA.hash(filled.flip()))
                .getValue();
    }

    private static String seed(Object key) {
        return "seed=" + SEED + ", key=" + key;
    }
}
