package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.migrate.move.CrashPoint;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Moves to and fro under writers of the moving virtual shard: how long the longest transaction at each cut-over takes beyond what is
 * usual, how long a move takes, and whether a write is lost, made twice, or failed.
 *
 * @param plainCopy nanoseconds of a plain copy of the same rows
 */
record CutOverBench(MoveGround ground, ShardRouter router, MoveBench.Size size, double plainCopy) {
    private static final int PER_SECOND = 1_000;
    /** The first moves to a server find clients without connections to it: their pauses are printed, and no target speaks of them. */
    private static final int COLD = 2;

    private static final double NANOS_PER_MILLI = 1e6;
    /** After the target is open: clients look for it in pauses of at most a twentieth of a second. */
    private static final long AFTERWARDS_NANOS = 300_000_000L;

    void run(Consumer<BenchLine> lines) throws SQLException {
        Progress.say("move-pause");
        MoveLoad load =
                new MoveLoad(router, MoveGround.WRITERS, writer -> MoveGround.MOVING, size.booksPerShard(), PER_SECOND);
        List<MoveRecorder> moves = new ArrayList<>();
        long quietFrom;
        long quietTo;
        long quietErrors;
        long movesTo;
        long quietDone;
        try (load) {
            load.start();
            pause(size.quiet().toNanos() / 4);
            quietFrom = System.nanoTime();
            quietDone = load.done();
            pause(size.quiet().toNanos());
            quietTo = System.nanoTime();
            quietErrors = load.errors();
            Progress.say("transactions per second without moves: "
                    + (load.done() - quietDone) * 1_000 / size.quiet().toMillis());
            for (int move = 0; move < COLD + size.cutOvers(); move++) {
                moves.add(MoveRecorder.run(
                        ground.moves(), move % 2 == 0 ? MoveGround.SECOND : MoveGround.FIRST, MoveBench.online()));
                MoveBench.settle(ground);
            }
            movesTo = System.nanoTime();
        }
        phases(moves);
        double usual = usual(load, moves, quietFrom, quietTo);
        Progress.say("pauses in ms of clients without connections to the target: "
                + rounded(pauses(load, moves.subList(0, COLD), usual)));
        double[] pauses = pauses(load, moves.subList(COLD, moves.size()), usual);
        Progress.say("pauses in ms: " + rounded(pauses));
        lines.accept(BenchLine.ofValue("move-pause-p50", "ms", percentile(pauses, 0.50), usual, 25, null));
        lines.accept(BenchLine.ofValue("move-pause-p99", "ms", percentile(pauses, 0.99), usual, 75, null));
        lines.accept(BenchLine.ofRatio(
                "move-total",
                "ms",
                median(moves, move -> move.at(CrashPoint.AFTER_SWITCH) - move.started()),
                plainCopy / NANOS_PER_MILLI,
                1.6,
                null));
        MoveLoad.Balance balance = load.balance(ground);
        lines.accept(BenchLine.ofValue("move-lost", "transactions", (double) balance.lost(), 0, 0, null));
        lines.accept(BenchLine.ofValue("move-duplicated", "transactions", (double) balance.duplicated(), 0, 0, null));
        // As many as the same load would have had in the time of the moves, without them.
        double expected = (double) quietErrors * (movesTo - quietTo) / (quietTo - quietFrom);
        double beyond = Math.max(0, load.errors() - quietErrors - expected);
        lines.accept(BenchLine.ofValue("move-errors", "transactions", beyond, expected, 0, null));
    }

    private static String rounded(double[] values) {
        return Arrays.toString(Arrays.stream(values).mapToLong(Math::round).toArray());
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** From the first lock of a move, that of its comparison, to the time when all writers have found the target. */
    private static long length(MoveRecorder move) {
        return move.between(CrashPoint.AFTER_CATCH_UP, CrashPoint.AFTER_OPEN) + AFTERWARDS_NANOS;
    }

    private double[] pauses(MoveLoad load, List<MoveRecorder> moves, double usual) {
        return moves.stream()
                .mapToDouble(move -> {
                    long from = move.at(CrashPoint.AFTER_CATCH_UP);
                    return Math.max(0, load.longest(from, from + length(move)) / NANOS_PER_MILLI - usual);
                })
                .sorted()
                .toArray();
    }

    /** The median longest transaction of windows without a move, as long as those around the cut-overs are on average; in ms. */
    private static double usual(MoveLoad load, List<MoveRecorder> moves, long quietFrom, long quietTo) {
        long window = (long)
                Median.of(moves.stream().mapToDouble(CutOverBench::length).toArray());
        List<Double> longest = new ArrayList<>();
        for (long from = quietFrom; from + window - quietTo <= 0 || longest.isEmpty(); from += window) {
            longest.add(load.longest(from, Math.min(from + window, quietTo)) / NANOS_PER_MILLI);
        }
        return Median.of(longest.stream().mapToDouble(x -> x).toArray());
    }

    /** The smallest value that is no less than this share of all. */
    static double percentile(double[] sorted, double share) {
        return sorted[(int) Math.ceil(sorted.length * share) - 1];
    }

    private static double median(List<MoveRecorder> moves, ToDoubleFunction<MoveRecorder> nanos) {
        return Median.of(moves.stream().mapToDouble(nanos).toArray()) / NANOS_PER_MILLI;
    }

    private static void phases(List<MoveRecorder> moves) {
        CrashPoint[] points = {
            CrashPoint.AFTER_TARGET_TOKEN,
            CrashPoint.AFTER_PREFLIGHT,
            CrashPoint.AFTER_SLOT,
            CrashPoint.AFTER_COPY,
            CrashPoint.AFTER_CATCH_UP,
            CrashPoint.AFTER_COMPARE,
            CrashPoint.AFTER_VERIFIED,
            CrashPoint.BEFORE_DRAIN,
            CrashPoint.BEFORE_SWITCH,
            CrashPoint.AFTER_SWITCH,
            CrashPoint.AFTER_CLOSE,
            CrashPoint.AFTER_OPEN,
            CrashPoint.BEFORE_CLEAN,
            CrashPoint.AFTER_DONE
        };
        say("start to " + points[0], median(moves, move -> move.at(points[0]) - move.started()));
        for (int i = 1; i < points.length; i++) {
            CrashPoint from = points[i - 1];
            CrashPoint to = points[i];
            say("to " + to, median(moves, move -> move.between(from, to)));
        }
    }

    private static void say(String phase, double millis) {
        Progress.say(String.format(Locale.ROOT, "  %-28s %8.1f ms", phase, millis));
    }
}
