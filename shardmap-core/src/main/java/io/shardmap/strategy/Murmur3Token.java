package io.shardmap.strategy;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Tokens of Apache Cassandra's {@code Murmur3Partitioner}: the first half of MurmurHash3 x64 128 with seed 0 over the key's bytes as
 * Cassandra serialises them (int 4 and bigint 8 bytes big-endian, text in UTF-8, uuid 16 bytes).
 *
 * <p>Cassandra's hash differs from the published one: the bytes after the last whole block are sign-extended before they are shifted.
 * Its partitioner then turns the token -2^63 into 2^63-1, and gives -2^63 to the empty key alone. Data of existing clusters depends on
 * all three, so they are kept. Cost: constant for numbers and UUIDs, which are hashed without allocating; linear in the length of text.
 */
final class Murmur3Token {
    private static final int BLOCK_BYTES = 16;
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;

    private Murmur3Token() {}

    static long ofInt(int key) {
        return finish(mixK1(signedTail(key, Integer.BYTES)), 0, Integer.BYTES);
    }

    static long ofLong(long key) {
        return finish(mixK1(signedTail(key, Long.BYTES)), 0, Long.BYTES);
    }

    static long ofUuid(UUID key) {
        long k1 = Long.reverseBytes(key.getMostSignificantBits());
        long k2 = Long.reverseBytes(key.getLeastSignificantBits());
        long h1 = nextH1(0, 0, k1);
        return finish(h1, nextH2(h1, 0, k2), 2 * Long.BYTES);
    }

    static long ofText(String key) {
        return ofBytes(key.getBytes(StandardCharsets.UTF_8));
    }

    static long ofBytes(byte[] key) {
        if (key.length == 0) {
            return Long.MIN_VALUE;
        }
        long h1 = 0;
        long h2 = 0;
        int tail = key.length - key.length % BLOCK_BYTES;
        for (int block = 0; block < tail; block += BLOCK_BYTES) {
            h1 = nextH1(h1, h2, littleEndian(key, block));
            h2 = nextH2(h1, h2, littleEndian(key, block + Long.BYTES));
        }
        long k1 = 0;
        long k2 = 0;
        for (int i = tail; i < key.length; i++) {
            int place = i - tail;
            if (place < Long.BYTES) {
                k1 ^= (long) key[i] << (Byte.SIZE * place);
            } else {
                k2 ^= (long) key[i] << (Byte.SIZE * (place - Long.BYTES));
            }
        }
        return finish(h1 ^ mixK1(k1), h2 ^ mixK2(k2), key.length);
    }

    /** Returns the tail that the last bytes of a number make, the highest byte first in the key and so lowest in the tail. */
    private static long signedTail(long number, int bytes) {
        long tail = 0;
        for (int i = 0; i < bytes; i++) {
            byte one = (byte) (number >>> (Byte.SIZE * (bytes - 1 - i)));
            tail ^= (long) one << (Byte.SIZE * i);
        }
        return tail;
    }

    private static long littleEndian(byte[] key, int offset) {
        long value = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            value = value << Byte.SIZE | (key[offset + i] & 0xff);
        }
        return value;
    }

    private static long nextH1(long h1, long h2, long k1) {
        return (Long.rotateLeft(h1 ^ mixK1(k1), 27) + h2) * 5 + 0x52dce729;
    }

    private static long nextH2(long nextH1, long h2, long k2) {
        return (Long.rotateLeft(h2 ^ mixK2(k2), 31) + nextH1) * 5 + 0x38495ab5;
    }

    private static long mixK1(long k1) {
        return Long.rotateLeft(k1 * C1, 31) * C2;
    }

    private static long mixK2(long k2) {
        return Long.rotateLeft(k2 * C2, 33) * C1;
    }

    private static long finish(long h1, long h2, int length) {
        long one = h1 ^ length;
        long other = h2 ^ length;
        one += other;
        other += one;
        long hash = spread(one) + spread(other);
        return hash == Long.MIN_VALUE ? Long.MAX_VALUE : hash;
    }

    private static long spread(long hash) {
        long h = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }
}
