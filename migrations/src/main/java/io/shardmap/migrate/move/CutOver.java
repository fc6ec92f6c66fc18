package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.StoreUnavailableException;

/**
 * From the first copied row to the open target. The order is the one of {@code cutover_model.py}: fence, copy, compare; then, under the
 * exclusive locks of the source, the map switches and the source closes in the very transaction that took the locks; then the target
 * opens. Whoever finds the move switched but the target closed fences and compares again, for the source may have served since.
 */
final class CutOver {
    private static final LockScope[] SHARD_AND_MAP = {LockScope.VIRTUAL_SHARD, LockScope.MAP};

    /** A fence that is lost so often is too short for the copy, or the servers are too slow to renew it. */
    private static final int ROUNDS = 10;

    private final Run run;
    private final Copier copier;
    private final SourceFence fence;

    CutOver(Run run) {
        this.run = run;
        this.copier = run.copier();
        this.fence = new SourceFence(run.place(), run.move());
    }

    /** Goes from COPYING to an open target. */
    void copyAndSwitch() {
        for (int round = 0; round < ROUNDS; round++) {
            if (fenceAndSettle()) {
                run.reached(CrashPoint.AFTER_COMPARE);
                run.enter(MoveState.VERIFIED, newEpoch(), null);
                run.reached(CrashPoint.AFTER_VERIFIED);
                if (switchAndClose()) {
                    run.reached(CrashPoint.AFTER_CLOSE);
                    open();
                    return;
                }
                run.enter(MoveState.COPYING);
            }
            run.context().listener().fenceLost(run.move());
        }
        throw fenceTooShort();
    }

    /** Goes from SWITCHED to an open target, whatever happened since. */
    void finish() {
        long epoch = run.move().newEpoch();
        Ownership there = run.target().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        Ownership here = run.source().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        if (!there.isClosed()) {
            if (there.epoch() != epoch || !here.isClosed()) {
                throw contradiction("source=" + here + ", target=" + there);
            }
            return;
        }
        if (here.isClosed() && (here.epoch() != epoch || !here.holdsCopies())) {
            throw contradiction("source=" + here + ", target=" + there);
        }
        for (int round = 0; round < ROUNDS; round++) {
            if (here.isClosed() ? settle() : fenceAndSettle() && closeAgain()) {
                run.reached(CrashPoint.AFTER_CLOSE);
                open();
                return;
            }
            here = run.source().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        }
        throw fenceTooShort();
    }

    private boolean fenceAndSettle() {
        fence.set(run.source());
        run.reached(CrashPoint.AFTER_FENCE);
        String name = "fence-" + run.move().id();
        try (MoverSession session = run.openSession(run.move().source());
                Heartbeat heartbeat = Heartbeat.start(name, run.move().options().fence(), () -> {
                    run.reached(CrashPoint.BEFORE_FENCE_RENEWAL);
                    return fence.prolong(session);
                })) {
            return settle(heartbeat) && !heartbeat.isRefused();
        }
    }

    boolean settle() {
        try (Heartbeat none = Heartbeat.start("closed", run.move().options().fence(), () -> true)) {
            return settle(none);
        }
    }

    /** Makes the target equal to the frozen source; false when the source did not stay frozen. */
    private boolean settle(Heartbeat fenced) {
        if (copier.hasRows(run.target())) {
            if (copier.difference(run.source(), run.target()) == null) {
                copier.advanceSequences(run.source(), run.target());
                return true;
            }
            copier.clear(run.target(), Copier.Partitions.KEEP, (table, rows, bytes) -> {});
        }
        copier.copy(run.source(), run.target(), fenced::isRefused, (table, rows, bytes) -> {
            run.context().listener().copied(run.move(), table, rows, bytes);
            run.reached(CrashPoint.AFTER_BATCH);
        });
        if (fenced.isRefused()) {
            return false;
        }
        copier.advanceSequences(run.source(), run.target());
        run.reached(CrashPoint.AFTER_COPY);
        String difference = copier.difference(run.source(), run.target());
        if (difference == null) {
            return true;
        }
        Ownership now = run.source().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        if (fenced.isRefused() || !now.isFrozen()) {
            return false;
        }
        throw Copier.mismatch(run.place(), difference);
    }

    /** Higher than every epoch anywhere: a restored map or server must not use one again. */
    long newEpoch() {
        long here = run.source()
                .read(
                        "read the epoch",
                        (on, dialect) -> dialect.ownership(on, run.place()).epoch());
        long there = run.target()
                .read(
                        "read the epoch",
                        (on, dialect) -> dialect.ownership(on, run.place()).epoch());
        return Math.max(run.move().epoch(), Math.max(here, there)) + 1;
    }

    private boolean switchAndClose() {
        return run.source().runExclusively("switch", SHARD_AND_MAP, (on, dialect) -> {
            if (!stillFenced(dialect.ownership(on, run.place()))) {
                return false;
            }
            run.reached(CrashPoint.BEFORE_SWITCH);
            // The lock was held all the time if its session still answers; the map must not name a target that does
            // not.
            if (!stillFenced(dialect.ownership(on, run.place())) || !isReady(run.target())) {
                return false;
            }
            run.become(switchMap());
            run.reached(CrashPoint.AFTER_SWITCH);
            return close(dialect, on);
        });
    }

    private boolean isReady(MoverSession target) {
        return target.read(
                "look", (on, dialect) -> dialect.ownership(on, run.place()).holdsCopies());
    }

    private boolean closeAgain() {
        return run.source()
                .runExclusively(
                        "close",
                        SHARD_AND_MAP,
                        (on, dialect) -> stillFenced(dialect.ownership(on, run.place())) && close(dialect, on));
    }

    boolean close(MoverDialect dialect, java.sql.Connection on) throws java.sql.SQLException {
        boolean closed = written(dialect.write(
                on, run.place(), Ownership.State.CLOSED, run.move().newEpoch(), true));
        run.reached(CrashPoint.BEFORE_CLOSE_COMMIT);
        return closed;
    }

    private boolean stillFenced(Ownership found) {
        if (found.isClosed() || found.epoch() != run.move().epoch()) {
            throw contradiction("source=" + found);
        }
        return found.isFrozen();
    }

    /** A switch whose commit broke may have happened: then the shard-map database says so. */
    MoveStatus switchMap() {
        try {
            return run.context().moves().switchOwner(run.move(), run.tables());
        } catch (StoreUnavailableException unknown) {
            MoveStatus found;
            try {
                found = run.context().moves().get(run.move().id());
            } catch (StoreUnavailableException still) {
                unknown.addSuppressed(still);
                throw unknown;
            }
            if (found.state() == (run.move().state().isBackwards() ? MoveState.SWITCHED_BACK : MoveState.SWITCHED)
                    && found.lease() == run.move().lease()) {
                return found;
            }
            throw unknown;
        }
    }

    /**
     * Opens the target. It is the one that was compared: its session is the same, and would have ended with a restart of the server, in
     * which it may have forgotten rows.
     */
    void open() {
        run.target().runPatiently("open", (on, dialect) -> {
            Ownership found = dialect.holdOwnership(on, run.place());
            if (!found.isClosed() || found.epoch() >= run.move().newEpoch()) {
                throw contradiction("target=" + found);
            }
            return written(dialect.write(
                    on, run.place(), Ownership.State.OPEN, run.move().newEpoch(), false));
        });
        run.reached(CrashPoint.AFTER_OPEN);
    }

    static boolean written(boolean written) {
        if (!written) {
            throw new ConcurrentChangeException("epoch of an ownership row must not fall; run `shardmap doctor`");
        }
        return true;
    }

    ShardMapException contradiction(String found) {
        return contradiction(run, found);
    }

    static ShardMapException contradiction(Run run, String found) {
        return new ShardMapException(
                ErrorCode.INTERNAL,
                "servers must agree with the move: " + run.move() + ", " + found
                        + "; nothing was changed: run `shardmap doctor`");
    }

    private ShardMapException fenceTooShort() {
        return new ShardMapException(
                ErrorCode.SHARD_MOVING,
                "fence must last until the rows are copied: virtualShard=" + run.place() + ", fence="
                        + run.move().options().fence() + ", rounds=" + ROUNDS + "; start with a longer fence");
    }
}
