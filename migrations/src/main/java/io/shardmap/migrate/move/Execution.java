package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.util.function.Consumer;

/** Lets a mover work on a move until that is over or waits, and decides what becomes of one that fails. */
final class Execution {
    private final MoverContext context;
    private final ProgressStore progress;

    Execution(MoverContext context, ProgressStore progress) {
        this.context = context;
        this.progress = progress;
    }

    /** Goes on with a move as it is; does nothing when no mover is needed. */
    MoveStatus goOn(MoveStatus seen, boolean force) {
        return seen.state().isAtRest() ? seen : run(seen, force, mover -> {});
    }

    /**
     * Executes a move after a decision about it.
     *
     * @param force whether to take it over from a mover that is alive
     * @param decision what the mover does first
     */
    MoveStatus run(MoveStatus seen, boolean force, Consumer<Mover> decision) {
        try (ProgressRecorder recorder = new ProgressRecorder(context.listener(), progress);
                Run run = Run.open(context.with(recorder), seen, force)) {
            Mover mover = new Mover(run);
            try {
                recorder.begin(run);
                decision.accept(mover);
                mover.forward();
            } catch (ShardMapException failure) {
                failed(run, mover, failure);
                throw failure;
            }
            return run.status();
        }
    }

    private void failed(Run run, Mover mover, ShardMapException failure) {
        boolean again = switch (failure.code()) {
            case PREFLIGHT, VERIFICATION, STEP_FAILED, SHARD_MOVING, INTERNAL -> true;
            default -> false;
        };
        if (failure.code() == ErrorCode.CONCURRENT_CHANGE) {
            return;
        }
        try {
            String why = String.valueOf(failure.getMessage());
            MoveState state = run.status().state();
            if (again && !state.isSwitched()) {
                mover.abort(why);
            } else if (state == MoveState.REVERSING && failure instanceof StreamLostException) {
                mover.giveUpWayBack(why);
            } else if (state == MoveState.REVERSING && again) {
                mover.letWait(why);
            } else if (!state.isAtRest()) {
                context.moves().stopped(run.status(), why);
            }
        } catch (ShardMapException second) {
            failure.addSuppressed(second);
        }
    }
}
