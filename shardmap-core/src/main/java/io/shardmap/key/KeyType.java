package io.shardmap.key;

import io.shardmap.InvalidKeyException;
import java.math.BigInteger;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The type of a map's keys. Each type has one canonical form, so {@code (short) 6}, {@code 6} and {@code 6L} are the same key; a value
 * of another type is refused, never converted.
 */
public enum KeyType {
    /** 32-bit signed integers; given as Byte, Short, Integer, or a Long or BigInteger in range. */
    INTEGER {
        @Override
        public ShardKey smallest() {
            return new ShardKey.Integral(Integer.MIN_VALUE);
        }

        @Override
        public ShardKey canonical(@Nullable Object value) {
            return integral(this, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }

        @Override
        public ShardKey parse(String text) {
            return canonical(number(this, text));
        }
    },
    /** 64-bit signed integers; given as Byte, Short, Integer, Long, or a BigInteger in range. */
    LONG {
        @Override
        public ShardKey smallest() {
            return new ShardKey.Integral(Long.MIN_VALUE);
        }

        @Override
        public ShardKey canonical(@Nullable Object value) {
            return integral(this, value, Long.MIN_VALUE, Long.MAX_VALUE);
        }

        @Override
        public ShardKey parse(String text) {
            return canonical(number(this, text));
        }
    },
    /** Text without NUL and unpaired surrogates, which no database could store. */
    STRING {
        @Override
        public ShardKey smallest() {
            return new ShardKey.Text("");
        }

        @Override
        public ShardKey canonical(@Nullable Object value) {
            if (!(value instanceof String text)) {
                throw refused(this, value);
            }
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else if (c == 0 || Character.isSurrogate(c)) {
                    throw new InvalidKeyException("string key must not hold NUL or an unpaired surrogate: position=" + i
                            + ", length=" + text.length());
                }
            }
            return new ShardKey.Text(text);
        }

        @Override
        public ShardKey parse(String text) {
            return canonical(text);
        }
    },
    /** 128-bit UUIDs, given as {@link java.util.UUID}. */
    UUID {
        @Override
        public ShardKey smallest() {
            return new ShardKey.Uuid(new UUID(0, 0));
        }

        @Override
        public ShardKey canonical(@Nullable Object value) {
            if (value instanceof UUID uuid) {
                return new ShardKey.Uuid(uuid);
            }
            throw refused(this, value);
        }

        @Override
        public ShardKey parse(String text) {
            try {
                UUID uuid = java.util.UUID.fromString(text);
                // The JDK also reads groups of other lengths.
                if (uuid.toString().equalsIgnoreCase(text)) {
                    return new ShardKey.Uuid(uuid);
                }
            } catch (IllegalArgumentException notAUuid) {
                throw unreadable(this, text, notAUuid);
            }
            throw unreadable(this, text, null);
        }
    };

    /**
     * Returns the canonical form of a value.
     *
     * @throws InvalidKeyException when the value is null, of another type, or out of range
     */
    public abstract ShardKey canonical(@Nullable Object value);

    /**
     * Reads a key as a person writes it.
     *
     * @throws InvalidKeyException when the text is not a key of this type
     */
    public abstract ShardKey parse(String text);

    /** Returns the key of this type that comes before all others. */
    public abstract ShardKey smallest();

    private static ShardKey integral(KeyType type, @Nullable Object value, long min, long max) {
        long number;
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            number = ((Number) value).longValue();
        } else if (value instanceof BigInteger big && big.bitLength() < Long.SIZE) {
            number = big.longValue();
        } else {
            throw refused(type, value);
        }
        if (number < min || number > max) {
            throw refused(type, value);
        }
        return new ShardKey.Integral(number);
    }

    private static BigInteger number(KeyType type, String text) {
        try {
            return new BigInteger(text);
        } catch (NumberFormatException notANumber) {
            throw unreadable(type, text, notANumber);
        }
    }

    private static InvalidKeyException refused(KeyType type, @Nullable Object value) {
        String seen = value == null ? "null" : value.getClass().getName();
        return new InvalidKeyException("key must be of the map's key type: expected=" + type + ", seen=" + seen
                + ", value=" + value + "; convert it before routing");
    }

    private static InvalidKeyException unreadable(KeyType type, String text, @Nullable Exception cause) {
        InvalidKeyException refusal = new InvalidKeyException(
                "text must be a key of the map's key type: expected=" + type + ", text=" + text);
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }
}
