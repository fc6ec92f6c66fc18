package io.shardmap.key;

import java.util.UUID;

/**
 * A shard key in its canonical form. Two keys are the same exactly when these records are equal.
 *
 * <p>The natural order is the database's: integers by value, text by code point (PostgreSQL's collation {@code "C"} on UTF-8), UUIDs as
 * unsigned 128-bit numbers. It is total: an integer comes before any text, and text before any UUID.
 */
public sealed interface ShardKey extends Comparable<ShardKey> {

    @Override
    default int compareTo(ShardKey other) {
        return KeyOrder.compare(this, other);
    }

    /** Returns the key as applications give it: a Long, String or UUID. */
    Object toObject();

    /** A key of an {@link KeyType#INTEGER} or {@link KeyType#LONG} map. */
    record Integral(long value) implements ShardKey {
        @Override
        public Object toObject() {
            return value;
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /** A key of a {@link KeyType#STRING} map: the exact characters, no case folding, trimming or normalisation. */
    record Text(String value) implements ShardKey {
        @Override
        public Object toObject() {
            return value;
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** A key of a {@link KeyType#UUID} map. */
    record Uuid(UUID value) implements ShardKey {
        @Override
        public Object toObject() {
            return value;
        }

        @Override
        public String toString() {
            return value.toString();
        }
    }
}
