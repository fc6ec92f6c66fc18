package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for moves that others run, and shows how they proceed. */
final class MoveWatch {
    private static final Duration POLL = Duration.ofMillis(500);

    private final Moves moves;
    private final MoveDisplay display;

    MoveWatch(Moves moves, MoveDisplay display) {
        this.moves = moves;
        this.display = display;
    }

    /** Waits until each move is over, waits or has nobody who works on it, or the time is over; returns them as they are then. */
    List<MoveStatus> await(List<MoveId> ids, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            List<MoveStatus> now = ids.stream().map(moves::status).toList();
            for (MoveStatus move : now) {
                display.show(move, moves.progress(move.id()).orElse(null));
            }
            boolean settled = now.stream().allMatch(move -> move.state().isAtRest() || move.isOrphaned());
            if (settled || System.nanoTime() - deadline >= 0) {
                return now;
            }
            var unused = new CountDownLatch(1).await(POLL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** The worst of several counts: undone, then left alone or without its way back, then still at work. */
    static int exitOf(List<MoveStatus> moves) {
        if (moves.stream().anyMatch(move -> move.state().isOver() && move.state() != MoveState.DONE)) {
            return ExitCodes.FAILED;
        }
        if (moves.stream().anyMatch(move -> move.isOrphaned() || move.state() == MoveState.IRREVERSIBLE)) {
            return ExitCodes.PARTIAL;
        }
        return moves.stream().allMatch(move -> move.state().isAtRest()) ? ExitCodes.DONE : ExitCodes.STILL_RUNNING;
    }
}
