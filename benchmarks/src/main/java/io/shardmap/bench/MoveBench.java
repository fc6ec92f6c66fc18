package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.OnlineOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Online moves of one of eleven virtual shards: how fast they copy, what its neighbours feel, how long its writers wait. */
record MoveBench(Size size) implements Bench {
    /**
     * How much is measured.
     *
     * @param books rows of the table, all virtual shards together
     * @param copies plain copies and moves without load
     * @param neighbourCopies moves beside busy neighbours, without throttle and with it
     * @param cutOvers moves under load
     * @param quiet how long the load runs without a move
     */
    record Size(int books, int copies, int neighbourCopies, int cutOvers, Duration quiet) {
        /** For results: the targets speak of this size. */
        static final Size FULL = new Size(2_000_000, 5, 4, 52, Duration.ofSeconds(30));
        /** To see that everything works. */
        static final Size QUICK = new Size(200_000, 1, 1, 4, Duration.ofSeconds(3));

        int booksPerShard() {
            return books / MoveGround.VIRTUAL_SHARDS;
        }
    }

    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        Progress.say("move: " + size);
        try (MoveGround ground = new MoveGround(size.books);
                ShardRouter router = ground.router()) {
            CopyRate rate = copyRate(ground);
            lines.accept(BenchLine.ofRate(
                    "move-copy-rate",
                    "rows/s",
                    rate.rows / rate.ours * NANOS_PER_SECOND,
                    rate.rows / rate.plain * NANOS_PER_SECOND,
                    0.8));
            NeighbourBench neighbours = new NeighbourBench(ground, router, size);
            lines.accept(neighbours.measure("move-neighbours", online(), 0.6));
            long half = Math.max(100_000, (long) (rate.bytes / rate.ours * NANOS_PER_SECOND / 2));
            lines.accept(neighbours.measure(
                    "move-neighbours-throttled", online().withOnline(OnlineOptions.DEFAULT.withThrottle(half)), 0.85));
            new CutOverBench(ground, router, size, rate.plain).run(lines);
        }
    }

    /** Medians: rows and bytes of a move, its nanoseconds of copying, and those of a plain copy. */
    private record CopyRate(double rows, double bytes, double ours, double plain) {}

    private CopyRate copyRate(MoveGround ground) throws SQLException {
        PlainCopy plain = new PlainCopy(ground);
        plain.nanos();
        List<Double> plains = new ArrayList<>();
        List<MoveRecorder> ours = new ArrayList<>();
        for (int turn = 0; turn < size.copies; turn++) {
            plains.add((double) plain.nanos());
            ours.add(MoveRecorder.run(ground.moves(), MoveGround.SECOND, online()));
            MoveRecorder.run(ground.moves(), MoveGround.FIRST, online());
            settle(ground);
        }
        return new CopyRate(
                Median.of(ours.stream().mapToDouble(MoveRecorder::rows).toArray()),
                Median.of(ours.stream().mapToDouble(MoveRecorder::bytes).toArray()),
                Median.of(ours.stream().mapToDouble(MoveRecorder::copyNanos).toArray()),
                Median.of(plains.stream().mapToDouble(nanos -> nanos).toArray()));
    }

    /** The settings of all moves, those that users get unless they ask for others; a short grace saves time that nobody measures. */
    static MoveOptions online() {
        return MoveOptions.DEFAULT.withGrace(Duration.ofSeconds(1)).withOnline(OnlineOptions.DEFAULT);
    }

    /** Removes what moves left dead, so that each one meets the same tables. */
    static void settle(MoveGround ground) throws SQLException {
        ground.execute(MoveGround.FIRST, "vacuum book");
        ground.execute(MoveGround.SECOND, "vacuum book");
    }
}
