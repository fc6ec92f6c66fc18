package io.shardmap.examples.books;

import io.shardmap.InvalidKeyException;
import io.shardmap.key.Isbn;
import java.util.Locale;

/**
 * The ISBN of a book in the one spelling the catalogue stores: ten characters without hyphens, or thirteen digits for the few books
 * (979) that have no ISBN-10.
 *
 * @param value the stored spelling, such as {@code 8113010246}
 * @param checkDigit the shard key, and so the virtual shard: 0 to 10
 */
public record BookIsbn(String value, int checkDigit) {
    private static final int ISBN_10 = 10;

    /**
     * Reads an ISBN-10 or ISBN-13 in any usual spelling.
     *
     * @throws InvalidKeyException when the text is not an ISBN or its check digit is wrong
     */
    public static BookIsbn parse(String text) {
        int checkDigit = Isbn.checkDigit(text);
        String compact = text.replace("-", "").replace(" ", "").toUpperCase(Locale.ROOT);
        if (compact.startsWith("978") && compact.length() > ISBN_10) {
            String withoutPrefix = compact.substring(3, compact.length() - 1);
            compact = withoutPrefix + (checkDigit == 10 ? "X" : checkDigit);
        }
        return new BookIsbn(compact, checkDigit);
    }

    /**
     * Reads an ISBN-10 that went through a spreadsheet and lost its leading zeros.
     *
     * @throws InvalidKeyException when the check digit is wrong, with the zeros restored
     */
    public static BookIsbn restored(String text) {
        return parse("0".repeat(Math.max(0, ISBN_10 - text.length())) + text);
    }

    @Override
    public String toString() {
        return value;
    }
}
