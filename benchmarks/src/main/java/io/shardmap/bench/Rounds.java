package io.shardmap.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Times contenders in turns, so that all of them meet the same neighbours on the machine: in each round every contender runs for the
 * same time, and each round begins with another one. The result of a contender is the median of its rounds.
 *
 * @param warmUp rounds that are not counted, 0 or more
 * @param rounds rounds that are counted, 1 or more
 * @param length how long a contender runs in a round
 * @param nanoTime the clock
 */
record Rounds(int warmUp, int rounds, Duration length, LongSupplier nanoTime) {
    /** For results: about 15 s per contender. */
    static final Rounds FULL = new Rounds(12, 25, Duration.ofMillis(400), System::nanoTime);
    /** To see that everything works. */
    static final Rounds QUICK = new Rounds(3, 5, Duration.ofMillis(100), System::nanoTime);
    /** For results of work that takes longer than a round: one operation is a round then. */
    static final Rounds LONG = new Rounds(2, 9, Duration.ofMillis(400), System::nanoTime);

    /** Operations whose results are compared before anything is timed, if they do not take longer than this many rounds. */
    private static final int COMPARED = 200;

    private static final int COMPARED_ROUNDS = 5;
    /** The clock is read about this many times per round, so that reading it costs nothing beside the work. */
    private static final int CLOCK_READS = 200;

    /** Validates the parts. */
    Rounds {
        if (warmUp < 0 || rounds < 1 || length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("rounds must be >= 1 and of some length, warm-up >= 0: warmUp=" + warmUp
                    + ", rounds=" + rounds + ", length=" + length);
        }
    }

    /**
     * Times contenders that do the same work.
     *
     * @return nanoseconds per operation by contender name
     * @throws IllegalStateException when the first operations of two contenders return different numbers
     */
    Map<String, Double> measure(List<Contender> contenders) throws Exception {
        List<Timed> timed = new ArrayList<>();
        for (Contender contender : contenders) {
            timed.add(new Timed(contender.name(), contender.work().get()));
        }
        compare(timed);
        for (int round = 0; round < warmUp + rounds; round++) {
            for (int turn = 0; turn < timed.size(); turn++) {
                timed.get((round + turn) % timed.size()).run(round >= warmUp);
            }
        }
        Map<String, Double> medians = new HashMap<>();
        for (Timed one : timed) {
            medians.put(
                    one.name,
                    Median.of(one.measured.stream().mapToDouble(x -> x).toArray()));
        }
        return medians;
    }

    private void compare(List<Timed> timed) throws Exception {
        long start = nanoTime.getAsLong();
        for (int operation = 0; operation < COMPARED; operation++) {
            if (operation > 0 && nanoTime.getAsLong() - start > COMPARED_ROUNDS * length.toNanos()) {
                return;
            }
            long expected = timed.get(0).work.once();
            for (Timed other : timed.subList(1, timed.size())) {
                long seen = other.work.once();
                if (seen != expected) {
                    throw new IllegalStateException("contenders must do the same work: operation=" + operation + ", "
                            + timed.get(0).name + "=" + expected + ", " + other.name + "=" + seen);
                }
            }
        }
    }

    /** One contender and what its rounds took. */
    private final class Timed {
        private final String name;
        private final Work work;
        private final List<Double> measured = new ArrayList<>();
        private long batch = 1;

        Timed(String name, Work work) {
            this.name = name;
            this.work = work;
        }

        void run(boolean counts) throws Exception {
            long operations = 0;
            long start = nanoTime.getAsLong();
            long elapsed;
            do {
                for (long i = 0; i < batch; i++) {
                    work.once();
                }
                operations += batch;
                elapsed = nanoTime.getAsLong() - start;
            } while (elapsed < length.toNanos());
            if (counts) {
                measured.add((double) elapsed / operations);
            }
            batch = Math.max(1, operations / CLOCK_READS);
        }
    }
}
