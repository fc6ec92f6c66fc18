package io.shardmap.examples.books;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows, without asking any database, what the catalogue must hold: the books of the file, the books added since, and every
 * acknowledged rating.
 */
final class Oracle {
    /** The rating every writer of the demo gives; one value, so that the order of ratings does not matter. */
    static final int STARS = 5;

    private static final int CHECKSUM_DIGITS = 16;

    private final Map<BookIsbn, Book> books = new HashMap<>();

    Oracle(Collection<Book> books) {
        books.forEach(this::add);
    }

    void add(Book book) {
        books.put(book.isbn(), book);
    }

    int size() {
        return books.size();
    }

    List<Book> booksOf(int virtualShard) {
        return books.values().stream()
                .filter(book -> book.isbn().checkDigit() == virtualShard)
                .toList();
    }

    /** Returns what {@link BookCatalog#topRated} must return. */
    List<Book> topRated() {
        return books.values().stream()
                .sorted(Comparator.comparing(Book::averageRating)
                        .thenComparing(Book::ratingsCount)
                        .reversed())
                .limit(BookCatalog.TOP)
                .toList();
    }

    /** Adds the acknowledged ratings. */
    void apply(Ledger ledger) {
        books.replaceAll((isbn, book) -> {
            Book rated = book;
            for (long i = ledger.of(isbn); i > 0; i--) {
                rated = rated.rated(STARS);
            }
            return rated;
        });
    }

    /**
     * How what was found differs from what must be there.
     *
     * @param identical books that were found exactly as they must be
     * @param lostWrites acknowledged ratings that are missing
     * @param difference the first difference for people, null when there is none
     * @param checksum of what must be there
     * @param foundChecksum of what was found
     */
    record Verdict(int identical, long lostWrites, @Nullable String difference, String checksum, String foundChecksum) {
        boolean isExact() {
            return difference == null && checksum.equals(foundChecksum);
        }
    }

    /** Compares all books that were found, in any order, with those that must be there. */
    Verdict compare(Collection<Book> found) {
        Map<BookIsbn, Book> missing = new HashMap<>(books);
        int identical = 0;
        long lost = 0;
        String difference = null;
        for (Book book : found) {
            Book expected = missing.remove(book.isbn());
            if (book.equals(expected)) {
                identical++;
            } else if (expected == null) {
                difference = "found twice or never written: " + book;
            } else {
                lost += Math.max(0, expected.ratingsCount() - book.ratingsCount());
                difference = "expected " + expected + ", found " + book;
            }
        }
        for (Book book : missing.values()) {
            difference = "missing: " + book;
        }
        return new Verdict(identical, lost, difference, checksum(books.values()), checksum(found));
    }

    private static String checksum(Collection<Book> books) {
        Map<String, Book> inOrder = new TreeMap<>();
        books.forEach(book -> inOrder.put(book.isbn().value(), book));
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            inOrder.values().forEach(book -> digest.update((book + "\n").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest()).substring(0, CHECKSUM_DIGITS);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
