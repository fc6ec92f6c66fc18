package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.migrate.move.MoveOptions;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/** What writers of other virtual shards on the same server get done while one is copied, beside what they got done just before. */
record NeighbourBench(MoveGround ground, ShardRouter router, MoveBench.Size size) {
    private static final int WRITERS = 4;
    private static final long BEFORE_NANOS = 3_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Measures with the settings of a move; {@code target} is asked of the ratio. */
    BenchLine measure(String name, MoveOptions options, double target) throws SQLException {
        Progress.say(name);
        Rate before = new Rate();
        Rate during = new Rate();
        for (int turn = 0; turn < size.neighbourCopies(); turn++) {
            try (MoveLoad load = new MoveLoad(router, WRITERS, writer -> writer, size.booksPerShard(), 0).start()) {
                pause(BEFORE_NANOS / 3);
                before.begin(load);
                pause(BEFORE_NANOS);
                before.end(load);
                MoveRecorder.run(
                        ground.moves(), MoveGround.SECOND, options, () -> during.begin(load), () -> during.end(load));
            }
            MoveRecorder.run(ground.moves(), MoveGround.FIRST, MoveBench.online());
            MoveBench.settle(ground);
        }
        return BenchLine.ofRate(name, "tx/s", during.perSecond(), before.perSecond(), target);
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** Transactions in some stretches of time. */
    private static final class Rate {
        private long done;
        private long nanos;

        void begin(MoveLoad load) {
            done -= load.done();
            nanos -= System.nanoTime();
        }

        void end(MoveLoad load) {
            done += load.done();
            nanos += System.nanoTime();
        }

        double perSecond() {
            return done * NANOS_PER_SECOND / nanos;
        }
    }
}
