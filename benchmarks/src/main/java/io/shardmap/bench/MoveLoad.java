package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/**
 * Writers, each a thread with a row of the ledger in its virtual shard: a transaction adds one to that row and to the stock of a book.
 * The row says what the next transaction must find: less means that acknowledged writes are lost, more that some were made twice.
 */
final class MoveLoad implements AutoCloseable {
    private static final String COUNT = "update ledger set n = n + 1 where shard = ? and writer = ? returning n";
    private static final String STOCK = "update book set stock = stock + 1 where shard = ? and id = ?";

    private final ShardRouter router;
    private final int books;
    private final long intervalNanos;
    private final List<Writer> writers = new ArrayList<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder duplicated = new LongAdder();
    private final ConcurrentHashMap<String, LongAdder> errors = new ConcurrentHashMap<>();
    private volatile boolean over;

    /**
     * Creates writers, and does not start them yet.
     *
     * @param shards virtual shard of each writer
     * @param books books per virtual shard
     * @param perSecond transactions per second of all writers together, 0 for as many as they can
     */
    MoveLoad(ShardRouter router, int count, IntUnaryOperator shards, int books, int perSecond) {
        this.router = router;
        this.books = books;
        this.intervalNanos = perSecond == 0 ? 0 : count * 1_000_000_000L / perSecond;
        for (int number = 0; number < count; number++) {
            writers.add(new Writer(number, shards.applyAsInt(number)));
        }
    }

    MoveLoad start() {
        writers.forEach(Thread::start);
        return this;
    }

    long done() {
        return done.sum();
    }

    long errors() {
        return errors.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Ends all writers and waits for them. */
    @Override
    public void close() {
        over = true;
        for (Writer writer : writers) {
            boolean interrupted = false;
            while (writer.isAlive()) {
                try {
                    writer.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        errors.forEach((error, times) -> Progress.say(times + " times: " + error));
    }

    /** Compares ledger and stock with what was acknowledged, after the end; prints nothing when all is well. */
    Balance balance(MoveGround ground) throws SQLException {
        for (Writer writer : writers) {
            writer.saw(ground.number(
                            "select n from ledger where writer = " + writer.number + " and shard = ?", writer.shard)
                    + 1);
        }
        return new Balance(lost.sum(), duplicated.sum());
    }

    /** Acknowledged writes that are missing, and writes that are there more than once. */
    record Balance(long lost, long duplicated) {}

    /** Returns the longest transaction that ran at some moment from one time to another, in nanoseconds; after the end. */
    long longest(long from, long to) {
        long longest = 0;
        for (Writer writer : writers) {
            for (Sample sample : writer.samples) {
                if (sample.end() - from >= 0 && to - sample.start() >= 0) {
                    longest = Math.max(longest, sample.end() - sample.start());
                }
            }
        }
        return longest;
    }

    private record Sample(long start, long end) {}

    private final class Writer extends Thread {
        private final int number;
        private final int shard;
        private final SplittableRandom random;
        private final List<Sample> samples = new ArrayList<>();
        private long least;
        private long unknown;

        Writer(int number, int shard) {
            super("bench-writer-" + number);
            setDaemon(true);
            this.number = number;
            this.shard = shard;
            this.random = new SplittableRandom(number);
        }

        @Override
        public void run() {
            long next = System.nanoTime() + number * intervalNanos / writers.size();
            while (!over) {
                if (intervalNanos > 0) {
                    LockSupport.parkNanos(this, next - System.nanoTime());
                    // Who is late does not hurry: the load stays what it is.
                    next = Math.max(next + intervalNanos, System.nanoTime());
                }
                long start = System.nanoTime();
                transact();
                samples.add(new Sample(start, System.nanoTime()));
            }
        }

        private void transact() {
            try (Connection connection = router.openConnection(MoveGround.MAP, shard)) {
                connection.setAutoCommit(false);
                long found = count(connection);
                stock(connection);
                unknown++;
                connection.commit();
                unknown--;
                saw(found);
                least = found;
                done.increment();
            } catch (SQLException failure) {
                errors.computeIfAbsent(failure.getSQLState() + " " + failure.getMessage(), key -> new LongAdder())
                        .increment();
            }
        }

        /** A commit whose answer was not heard may have happened. */
        private void saw(long found) {
            if (found <= least) {
                lost.add(least + 1 - found);
            } else if (found > least + 1 + unknown) {
                duplicated.add(found - least - 1 - unknown);
            }
            unknown = Math.max(0, unknown - Math.max(0, found - least - 1));
        }

        private long count(Connection connection) throws SQLException {
            try (PreparedStatement update = connection.prepareStatement(COUNT)) {
                update.setInt(1, shard);
                update.setInt(2, number);
                try (ResultSet row = update.executeQuery()) {
                    if (!row.next()) {
                        throw new SQLException("ledger must have a row: shard=" + shard + ", writer=" + number);
                    }
                    return row.getLong(1);
                }
            }
        }

        private void stock(Connection connection) throws SQLException {
            try (PreparedStatement update = connection.prepareStatement(STOCK)) {
                update.setInt(1, shard);
                update.setInt(2, random.nextInt(books));
                update.executeUpdate();
            }
        }
    }
}
