package io.shardmap.jdbc.sql;

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
public record SqlToken(Kind kind, String text, int start, int end, int depth) {
    /** What a token is. */
    public enum Kind {
        WORD,
        QUOTED,
        STRING,
        NUMBER,
        PARAMETER,
        SYMBOL
    }

    /** Returns whether this is an unquoted word, whatever its case. */
    public boolean is(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    /** Returns whether this is a symbol that begins with a character. */
    public boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    /** Returns whether this is a word or a quoted name. */
    public boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    /** Returns the text in upper case. */
    public String upperCase() {
        return text.toUpperCase(Locale.ROOT);
    }
}
