package io.shardmap.examples.books;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * An application at work: threads that rate books of one virtual shard, threads that read them, and one that counts all books on all
 * servers. Each checks its answers, and ends at its first error or wrong answer, which is kept.
 */
final class Workload {
    private static final int WRITERS = 4;
    private static final int READERS = 4;

    /** Pause of a thread between two requests, as users have it: a demo that takes every processor shows nothing but that. */
    private static final Duration THINK_TIME = Duration.ofMillis(2);

    /** Says who is at work. */
    static final String DESCRIPTION = WRITERS + " writers, " + READERS + " readers and a counter over all servers";

    /** One kind of request: how many were answered, and the longest time one took. */
    static final class Requests {
        private final LongAdder answered = new LongAdder();
        private final AtomicLong longestNanos = new AtomicLong();

        private void answered(long startNanos) {
            answered.increment();
            longestNanos.accumulateAndGet(System.nanoTime() - startNanos, Math::max);
        }

        long count() {
            return answered.sum();
        }

        Duration longest() {
            return Duration.ofNanos(longestNanos.get());
        }
    }

    private final BookCatalog catalogue;
    private final List<Book> books;
    private final long allBooks;
    private final Ledger ledger = new Ledger();
    private final Requests writes = new Requests();
    private final Requests reads = new Requests();
    private final Requests counts = new Requests();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /**
     * Creates a workload that is not running yet.
     *
     * @param books the books to read and to rate, as they are now
     * @param allBooks how many books the catalogue holds
     */
    Workload(BookCatalog catalogue, List<Book> books, long allBooks) {
        this.catalogue = catalogue;
        this.books = List.copyOf(books);
        this.allBooks = allBooks;
    }

    /** Returns what was acknowledged. */
    Ledger ledger() {
        return ledger;
    }

    Requests writes() {
        return writes;
    }

    Requests reads() {
        return reads;
    }

    Requests counts() {
        return counts;
    }

    /** Returns what went wrong, in no order; empty when nothing did. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    void start() {
        for (int i = 0; i < WRITERS; i++) {
            start("writer-" + i, writes, this::write);
        }
        for (int i = 0; i < READERS; i++) {
            start("reader-" + i, reads, this::read);
        }
        start("counter", counts, this::count);
    }

    /** Lets every thread end its request, and waits for it. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @FunctionalInterface
    private interface Request {
        void run() throws SQLException;
    }

    private void start(String name, Requests requests, Request request) {
        Thread thread = new Thread(() -> repeat(name, requests, request), "demo-" + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void repeat(String name, Requests requests, Request request) {
        while (!stopped) {
            long start = System.nanoTime();
            try {
                request.run();
                requests.answered(start);
                LockSupport.parkNanos(this, THINK_TIME.toNanos());
            } catch (SQLException | RuntimeException failure) {
                errors.add(name + ": " + failure);
                return;
            }
        }
    }

    private void write() throws SQLException {
        BookIsbn isbn = anyBook().isbn();
        require(catalogue.rate(isbn, Oracle.STARS), "a book must be there to be rated: isbn=" + isbn);
        ledger.acknowledged(isbn);
    }

    private void read() throws SQLException {
        Book book = anyBook();
        long acknowledged = book.ratingsCount() + ledger.of(book.isbn());
        long seen = catalogue.find(book.isbn()).map(Book::ratingsCount).orElse(-1L);
        require(
                seen >= acknowledged,
                "acknowledged ratings must be seen: isbn=" + book.isbn() + ", acknowledged=" + acknowledged + ", seen="
                        + seen);
    }

    private void count() throws SQLException {
        long counted = catalogue.count();
        require(counted == allBooks, "every book must be counted once: expected=" + allBooks + ", counted=" + counted);
    }

    private static void require(boolean rule, String message) {
        if (!rule) {
            throw new IllegalStateException(message);
        }
    }

    private Book anyBook() {
        return books.get(ThreadLocalRandom.current().nextInt(books.size()));
    }
}
