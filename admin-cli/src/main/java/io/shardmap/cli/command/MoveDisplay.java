package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveListener;
import io.shardmap.migrate.move.MoveProgress;
import io.shardmap.migrate.move.MoveStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Shows how moves proceed, one or several at the same time: told by movers of this process, or by whoever watches others. */
interface MoveDisplay extends MoveListener, AutoCloseable {

    /** Shows a move as it is now; {@code progress} is null when nothing is copied yet. */
    void show(MoveStatus move, @Nullable MoveProgress progress);

    @Override
    default void entered(MoveStatus move) {
        show(move, null);
    }

    @Override
    default void progress(MoveStatus move, MoveProgress progress) {
        show(move, progress);
    }

    /** Ends the display, so that something else can be printed. */
    @Override
    default void close() {}

    /** Returns a time as a clock shows it: {@code 0:07}, {@code 1:02:03}. */
    static String clock(Duration time) {
        String rest = (time.toMinutesPart() < 10 && time.toHours() > 0 ? "0" : "") + time.toMinutesPart() + ":"
                + (time.toSecondsPart() < 10 ? "0" : "") + time.toSecondsPart();
        return time.toHours() > 0 ? time.toHours() + ":" + rest : rest;
    }

    /** Shows nothing. */
    record Nothing() implements MoveDisplay {
        @Override
        public void show(MoveStatus move, @Nullable MoveProgress progress) {}
    }
}
