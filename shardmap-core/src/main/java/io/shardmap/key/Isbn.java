package io.shardmap.key;

import io.shardmap.InvalidKeyException;

/**
 * International Standard Book Numbers, as far as sharding needs them: their check digits (ISO 2108).
 *
 * <p>An ISBN-10 ends in a digit modulo 11 (10 is written {@code X}), an ISBN-13 in a digit modulo 10; the two differ for most
 * books. So that both spellings of one book have one shard key, an ISBN-13 that starts with 978 is taken to its ISBN-10 first. A 979
 * ISBN has no ISBN-10 and keeps its own digit.
 */
public final class Isbn {
    private Isbn() {}

    /**
     * Returns the shard key of a book: the check digit of its ISBN-10, or of its ISBN-13 if it has no ISBN-10.
     *
     * @param isbn an ISBN-10 or ISBN-13; hyphens and blanks are ignored
     * @return 0 to 10
     * @throws InvalidKeyException when the text is not an ISBN or its check digit is wrong
     */
    public static int checkDigit(String isbn) {
        String digits = compact(isbn);
        return switch (digits.length()) {
            case 10 -> verified(isbn, digits, isbn10CheckDigit(isbn, digits));
            case 13 -> {
                int own = verified(isbn, digits, isbn13CheckDigit(isbn, digits));
                yield switch (digits.substring(0, 3)) {
                    case "978" -> isbn10CheckDigit(isbn, digits.substring(3));
                    case "979" -> own;
                    default -> throw new InvalidKeyException("ISBN-13 must start with 978 or 979: isbn=" + isbn);
                };
            }
            default ->
                throw new InvalidKeyException("ISBN must have 10 or 13 digits: isbn=" + isbn + ", digits="
                        + digits.length() + "; restore leading zeros that a spreadsheet removed");
        };
    }

    private static String compact(String isbn) {
        return isbn.replace("-", "").replace(" ", "");
    }

    private static int verified(String isbn, String digits, int expected) {
        char last = digits.charAt(digits.length() - 1);
        int seen = (last == 'X' || last == 'x') && digits.length() == 10 ? 10 : digit(isbn, last);
        if (seen != expected) {
            throw new InvalidKeyException("ISBN must end in its check digit: isbn=" + isbn + ", expected="
                    + (expected == 10 ? "X" : expected) + ", seen=" + last);
        }
        return seen;
    }

    private static int isbn10CheckDigit(String isbn, String digits) {
        int sum = 0;
        for (int i = 0; i < 9; i++) {
            sum += (10 - i) * digit(isbn, digits.charAt(i));
        }
        return (11 - sum % 11) % 11;
    }

    private static int isbn13CheckDigit(String isbn, String digits) {
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += (i % 2 == 0 ? 1 : 3) * digit(isbn, digits.charAt(i));
        }
        return (10 - sum % 10) % 10;
    }

    private static int digit(String isbn, char c) {
        if (c < '0' || c > '9') {
            throw new InvalidKeyException(
                    "ISBN must be made of digits, X only at the end of an ISBN-10: isbn=" + isbn + ", character=" + c);
        }
        return c - '0';
    }
}
