package io.shardmap.examples.books;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the catalogue acknowledged: ratings per book, written down only after {@link BookCatalog#rate} returned. Safe for many threads. */
final class Ledger {
    private final Map<BookIsbn, LongAdder> ratings = new ConcurrentHashMap<>();

    void acknowledged(BookIsbn isbn) {
        ratings.computeIfAbsent(isbn, book -> new LongAdder()).increment();
    }

    /** Returns the acknowledged ratings of a book; what is acknowledged meanwhile may be in it. */
    long of(BookIsbn isbn) {
        LongAdder count = ratings.get(isbn);
        return count == null ? 0 : count.sum();
    }

    long total() {
        return ratings.values().stream().mapToLong(LongAdder::sum).sum();
    }
}
