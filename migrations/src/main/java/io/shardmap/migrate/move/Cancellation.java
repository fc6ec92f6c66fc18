package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;

/** Undoes a move, or a reversal, whose map has not switched. */
final class Cancellation {
    private final MoverContext context;

    Cancellation(MoverContext context) {
        this.context = context;
    }

    /** See {@link Moves#cancel}. */
    MoveStatus cancel(MoveId id) {
        MoveStatus seen = context.moves().get(id);
        if (seen.state() == MoveState.ABORTED) {
            return seen;
        }
        if (seen.state() == MoveState.REVERSING) {
            return cancelReversal(seen);
        }
        refuseSwitched(seen);
        if (changedNoServer(seen)) {
            seen = context.moves().acquire(seen, seen.lease() + 1, context.owner(), true);
            if (changedNoServer(seen)) {
                MoveStatus aborting = context.moves().enter(seen, MoveState.ABORTING, 0, "cancelled");
                return context.moves().enter(aborting, MoveState.ABORTED, 0, null);
            }
        }
        try (Run run = Run.open(context, seen, true)) {
            refuseSwitched(run.status());
            new Mover(run).abort("cancelled");
            return run.status();
        }
    }

    private MoveStatus cancelReversal(MoveStatus seen) {
        try (Run run = Run.open(context, seen, true)) {
            if (run.status().state() != MoveState.REVERSING) {
                refuseSwitched(run.status());
            }
            new Mover(run).letWait("reversal cancelled");
            return run.status();
        }
    }

    private static boolean changedNoServer(MoveStatus move) {
        return move.state() == MoveState.PLANNED || move.state() == MoveState.PREFLIGHTED;
    }

    private static void refuseSwitched(MoveStatus move) {
        if (move.state().isSwitched()) {
            throw new ShardMapException(
                    ErrorCode.NOT_SUPPORTED,
                    "move must not have switched to be cancelled: move=" + move.id() + ", state=" + move.state()
                            + (switch (move.state()) {
                                case REVERSIBLE -> "; reverse it";
                                case IRREVERSIBLE -> "; complete it, then move the virtual shard back";
                                case SWITCHED_BACK -> "; resume it";
                                case REVERSED -> "; it serves from its source";
                                case DONE -> "; move the virtual shard back";
                                default ->
                                    move.state() == MoveState.SWITCHED
                                                    && move.options().isReversible()
                                            ? "; resume it, then reverse it"
                                            : "; resume it, then move the virtual shard back";
                            }));
        }
    }
}
