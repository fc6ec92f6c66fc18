package io.shardmap.jdbc.fanout;

/**
 * Compares strings by code points, as the bytes of their UTF-8 form compare. {@link String#compareTo} compares UTF-16 code units, which
 * puts the code points above U+FFFF before U+E000 to U+FFFF.
 */
final class CodePointOrder {
    private CodePointOrder() {}

    static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char first = a.charAt(i);
            char second = b.charAt(i);
            if (first != second) {
                return place(first) - place(second);
            }
        }
        return a.length() - b.length();
    }

    /** Moves the surrogates, which stand for the largest code points, behind all other code units. */
    private static int place(char unit) {
        if (unit < Character.MIN_SURROGATE) {
            return unit;
        }
        return Character.isSurrogate(unit) ? unit + 0x2000 : unit - 0x800;
    }
}
