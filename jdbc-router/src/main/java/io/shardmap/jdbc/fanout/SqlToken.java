package io.shardmap.jdbc.fanout;

import java.util.Locale;

/**
 * A token of a SQL text without comments.
 *
 * @param kind what it is
 * @param text as written
 * @param start index of its first character
 * @param end index after its last character
 * @param depth how many parentheses and brackets are open around it; those themselves count as outside
 */
record SqlToken(Kind kind, String text, int start, int end, int depth) {
    enum Kind {
        WORD,
        QUOTED,
        STRING,
        NUMBER,
        PARAMETER,
        SYMBOL
    }

    /** Returns whether this is an unquoted word, whatever its case. */
    boolean is(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    String upperCase() {
        return text.toUpperCase(Locale.ROOT);
    }
}
