package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import org.jspecify.annotations.Nullable;

/** Takes a move from state to state until it is over. */
final class Mover {
    private final Run run;

    Mover(Run run) {
        this.run = run;
    }

    /** Goes forward to DONE, or until the move waits; an abort that was begun goes on to ABORTED, the way back to REVERSED. */
    void forward() {
        while (!run.move().state().isAtRest()) {
            switch (run.move().state()) {
                case PLANNED -> preflight();
                case PREFLIGHTED, COPYING, CATCHING_UP, VERIFIED -> {
                    // What the target lacks is made before its tables are looked at.
                    TargetPreparation.prepare(run);
                    if (isOnline()) {
                        new OnlineCutOver(run).copyAndSwitch();
                    } else {
                        new CutOver(run).copyAndSwitch();
                    }
                    settle();
                }
                case SWITCHED -> {
                    if (isOnline()) {
                        new OnlineCutOver(run).finish();
                    } else {
                        new CutOver(run).finish();
                    }
                    settle();
                }
                case CLEANING -> clean(MoveState.DONE);
                case REVERSING -> {
                    new OnlineCutOver(run).takeBack();
                    clean(MoveState.REVERSED);
                }
                case SWITCHED_BACK -> {
                    new OnlineCutOver(run).finish();
                    clean(MoveState.REVERSED);
                }
                case ABORTING -> abort(null);
                case FENCED, REVERSIBLE, IRREVERSIBLE, DONE, ABORTED, REVERSED ->
                    throw new ShardMapException(
                            ErrorCode.NOT_SUPPORTED,
                            "state of the move must be known here: " + run.move()
                                    + "; use the version that started it");
            }
        }
    }

    private boolean isOnline() {
        return run.move().options().isOnline();
    }

    private void preflight() {
        MovePlan plan = Preflight.plan(
                run.context().pools(),
                run.map(),
                run.move().virtualShard(),
                run.move().target(),
                run.move().options(),
                null);
        if (!plan.problems().isEmpty()) {
            throw new PreflightException(plan);
        }
        run.reached(CrashPoint.AFTER_PREFLIGHT);
        run.enter(MoveState.PREFLIGHTED);
    }

    /** Goes on when the target is open: to cleaning, or to where the move waits. */
    private void settle() {
        if (!run.move().options().isReversible()) {
            complete();
            return;
        }
        try {
            ReverseStream.start(run);
        } catch (ShardMapException failure) {
            if (failure.code() != ErrorCode.STEP_FAILED) {
                throw failure;
            }
            // The virtual shard has moved, and is served: only the way back cannot be had.
            giveUpWayBack(String.valueOf(failure.getMessage()));
        }
    }

    /** Begins to remove the rows of the source; {@link #forward} goes on. */
    void complete() {
        run.enter(MoveState.CLEANING);
    }

    /** Begins the way back; {@link #forward} goes on. */
    void reverse() {
        run.enter(MoveState.REVERSING);
        run.reached(CrashPoint.AFTER_REVERSING);
    }

    /** Leaves the virtual shard where it is, and the move waiting, when it cannot be taken back now. */
    void letWait(String why) {
        run.enter(MoveState.REVERSIBLE, 0, why);
        run.reached(CrashPoint.AFTER_REVERSIBLE);
    }

    void giveUpWayBack(String why) {
        ReverseStream.giveUp(run, why);
    }

    private void clean(MoveState end) {
        if (isOnline()) {
            // The stream ends before a row is removed: the target would remove it too.
            ChangeStream.dropAll(run);
        }
        run.reached(CrashPoint.BEFORE_GRACE);
        // Reads without a lock that were checked before the close still look at these rows.
        Waiting.pause(run, run.move().options().grace());
        requireOpenTarget();
        run.reached(CrashPoint.BEFORE_CLEAN);
        run.copier().clear(run.source(), Copier.Partitions.DROP, (table, rows, bytes) -> {
            run.context().listener().cleaned(run.move(), table, rows);
            run.reached(CrashPoint.AFTER_CLEAN_BATCH);
        });
        holdsNoCopies(run.source());
        run.reached(CrashPoint.AFTER_CLEAN);
        run.enter(end);
        run.reached(CrashPoint.AFTER_DONE);
    }

    /** A target that was restored from an older state does not serve, and the source may have the only copy of the rows. */
    private void requireOpenTarget() {
        Ownership there = run.target().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        if (there.isClosed() || there.epoch() != run.move().newEpoch()) {
            throw new ShardMapException(
                    ErrorCode.INTERNAL,
                    "target must serve before the source is cleaned: " + run.move() + ", target=" + there
                            + "; nothing was removed: run `shardmap doctor`");
        }
    }

    /** Undoes everything before the switch: the source opens again, then the copies go. */
    void abort(@Nullable String error) {
        run.enter(MoveState.ABORTING, 0, error);
        run.reached(CrashPoint.BEFORE_REOPEN);
        run.source().runPatiently("reopen", (on, dialect) -> {
            Ownership found = dialect.holdOwnership(on, run.place());
            return found.state() == Ownership.State.FENCED
                    && dialect.write(on, run.place(), Ownership.State.OPEN, found.epoch(), found.holdsCopies());
        });
        run.reached(CrashPoint.AFTER_REOPEN);
        if (isOnline()) {
            // The stream ends before the copies are removed: it would bring rows back.
            ChangeStream.dropAll(run);
        }
        Ownership there = run.target().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        if (there.isClosed() && there.holdsCopies()) {
            run.copier().clear(run.target(), Copier.Partitions.DROP_MADE, (table, rows, bytes) -> {});
            holdsNoCopies(run.target());
        }
        run.reached(CrashPoint.AFTER_CLEAR);
        run.enter(MoveState.ABORTED);
        run.reached(CrashPoint.AFTER_ABORTED);
    }

    private void holdsNoCopies(MoverSession server) {
        server.runPatiently("holds no copies", (on, dialect) -> {
            Ownership found = dialect.holdOwnership(on, run.place());
            return found.isClosed() && dialect.write(on, run.place(), Ownership.State.CLOSED, found.epoch(), false);
        });
    }
}
