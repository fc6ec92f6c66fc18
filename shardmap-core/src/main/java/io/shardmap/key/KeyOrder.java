package io.shardmap.key;

import io.shardmap.key.ShardKey.Integral;
import io.shardmap.key.ShardKey.Text;
import io.shardmap.key.ShardKey.Uuid;

/** The order of keys, equal to the order in which a database keeps them. */
final class KeyOrder {
    private KeyOrder() {}

    static int compare(ShardKey one, ShardKey other) {
        if (one instanceof Integral a && other instanceof Integral b) {
            return Long.compare(a.value(), b.value());
        }
        if (one instanceof Text a && other instanceof Text b) {
            return compareCodePoints(a.value(), b.value());
        }
        if (one instanceof Uuid a && other instanceof Uuid b) {
            // Not UUID.compareTo, which compares signed halves.
            int high = Long.compareUnsigned(
                    a.value().getMostSignificantBits(), b.value().getMostSignificantBits());
            return high != 0
                    ? high
                    : Long.compareUnsigned(
                            a.value().getLeastSignificantBits(), b.value().getLeastSignificantBits());
        }
        return Integer.compare(rank(one), rank(other));
    }

    private static int rank(ShardKey key) {
        if (key instanceof Integral) {
            return 0;
        }
        return key instanceof Text ? 1 : 2;
    }

    /** Not String.compareTo, which puts characters beyond U+FFFF (surrogates, D800 to DFFF) before U+E000 to U+FFFF. */
    private static int compareCodePoints(String one, String other) {
        int common = Math.min(one.length(), other.length());
        for (int i = 0; i < common; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                boolean surrogateDecides = Character.isSurrogate(a) != Character.isSurrogate(b);
                return surrogateDecides && Math.min(a, b) >= Character.MIN_SURROGATE
                        ? Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b))
                        : Character.compare(a, b);
            }
        }
        return Integer.compare(one.length(), other.length());
    }
}
