package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From the first copied row to the open target, by copy and stream: writers wait for the cut-over only. The order is the one of {@code
 * cutover_model.py}: under the exclusive locks of the source wait until the target has everything, switch the map, close the source in
 * the very transaction that took the locks; then open the target. No fence is ever committed, so a mover that dies before the switch
 * leaves the source open.
 *
 * <p>What was copied is compared twice. First all of it, by count and hash, as of one instant: the lock is held until the stream is
 * drained and a snapshot is taken on both sides, not while they are compared. Then what changed since, under the lock of the cut-over,
 * see {@link ChangeCheck}.
 */
final class OnlineCutOver {
    private static final LockScope[] SHARD = {LockScope.VIRTUAL_SHARD};
    private static final LockScope[] SHARD_AND_MAP = {LockScope.VIRTUAL_SHARD, LockScope.MAP};
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(200);

    private final Run run;
    private final Copier copier;
    private final CutOver cutOver;
    private final TableDefinitions definitions;
    private final OnlineOptions options;

    OnlineCutOver(Run run) {
        this.run = run;
        // Before the copier looks: a column that appears in between is copied, and found out, not overlooked by both.
        this.definitions = TableDefinitions.of(run);
        this.copier = run.copier();
        this.cutOver = new CutOver(run);
        this.options = run.move().options().online();
    }

    /** Goes from COPYING, from the beginning, to an open target. */
    void copyAndSwitch() {
        boolean reversible = run.move().options().isReversible();
        ChangeStream.dropAll(run);
        copier.clear(run.target(), Copier.Partitions.KEEP, (table, rows, bytes) -> {});
        ChangeStream stream = ChangeStream.record(run, ChangeStream.Way.THERE);
        run.reached(CrashPoint.AFTER_STREAM_RECORDED);
        stream.publish();
        run.reached(CrashPoint.AFTER_PUBLICATION);
        copy(stream);
        run.reached(CrashPoint.AFTER_COPY);
        stream.check();
        stream.subscribe();
        run.reached(CrashPoint.AFTER_SUBSCRIPTION);
        run.enter(MoveState.CATCHING_UP);
        cutOver(stream, () -> {
            if (reversible) {
                ReverseStream.prepare(run);
            }
            run.enter(MoveState.VERIFIED, cutOver.newEpoch(), null);
            run.reached(CrashPoint.AFTER_VERIFIED);
        });
    }

    /** Goes from REVERSING to an open old home: its rows are there, and the stream back keeps them equal. */
    void takeBack() {
        ChangeStream stream = ChangeStream.latest(run, ChangeStream.Way.BACK);
        Ownership there = run.target().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        if (stream == null || !there.isClosed() || !there.holdsCopies()) {
            throw cutOver.contradiction("target=" + there);
        }
        stream.forgetErrors();
        run.reserveEpochBack(cutOver.newEpoch());
        cutOver(stream, () -> {});
    }

    private void cutOver(ChangeStream stream, Runnable compared) {
        try (MoverSession reader = run.openSession(run.move().source())) {
            long deadline = System.nanoTime() + options.catchUp().toNanos();
            catchUp(stream, reader, deadline);
            run.reached(CrashPoint.AFTER_CATCH_UP);
            try (ChangeCheck changes = ChangeCheck.start(run, copier, stream)) {
                Duration comparison = compareSnapshots(stream, reader, deadline);
                run.reached(CrashPoint.AFTER_COMPARE);
                compared.run();
                SequencePairs sequences = copier.advanceSequences(reader, run.target());
                boolean hashes = comparison.compareTo(options.pause().dividedBy(2)) < 0;
                changes.settle(reader);
                while (!switchAndClose(stream, reader, changes, sequences, hashes)) {
                    pauseUntilNextAttempt(deadline);
                    catchUp(stream, reader, deadline);
                    changes.settle(reader);
                }
            }
        }
        run.reached(CrashPoint.AFTER_CLOSE);
        open();
    }

    private void open() {
        if (run.move().options().isReversible() && !run.move().state().isBackwards()) {
            ReverseStream.mark(run);
        }
        cutOver.open();
    }

    private void copy(ChangeStream stream) {
        ChangeStream.Slot slot = stream.createSlot(stream.name());
        try (SnapshotCopy copy = new SnapshotCopy(run, copier)) {
            run.reached(CrashPoint.AFTER_SLOT);
            copy.run(slot.snapshot(), () -> ChangeStream.closeQuietly(slot.connection()), stream::check);
        } finally {
            ChangeStream.closeQuietly(slot.connection());
        }
    }

    /** Waits until the stream needs much less than a pause to get to the end. */
    private void catchUp(ChangeStream stream, MoverSession reader, long deadline) {
        while (true) {
            stream.check();
            if (stream.awaitApplied(stream.position(reader), options.pause().dividedBy(4))) {
                return;
            }
            requireTime(deadline, "stream must catch up in time");
        }
    }

    private void pauseUntilNextAttempt(long deadline) {
        requireTime(deadline, "cut-over must succeed within its pause in time");
        Waiting.pause(this, BETWEEN_ATTEMPTS);
    }

    private void requireTime(long deadline, String rule) {
        if (System.nanoTime() - deadline > 0) {
            throw new ShardMapException(
                    ErrorCode.STEP_FAILED,
                    rule + ": virtualShard=" + run.place() + ", catchUp=" + options.catchUp() + ", pause="
                            + options.pause() + "; allow more of them, or move when there is less to write");
        }
    }

    /** Compares everything as of one instant, and returns how long that took. */
    private Duration compareSnapshots(ChangeStream stream, MoverSession reader, long deadline) {
        while (true) {
            Optional<Duration> taken = compareOnce(stream, reader);
            if (taken.isPresent()) {
                return taken.get();
            }
            pauseUntilNextAttempt(deadline);
        }
    }

    private Optional<Duration> compareOnce(ChangeStream stream, MoverSession reader) {
        try (MoverSession here = run.openSession(run.move().source());
                MoverSession there = run.openSession(run.move().target())) {
            return here.unchecked(
                    "compare",
                    (from, speaking) -> there.unchecked("compare", (to, dialect) -> {
                        if (!takeSnapshots(stream, reader, from, to)) {
                            return Optional.<Duration>empty();
                        }
                        long start = System.nanoTime();
                        String difference = copier.difference(from, to, true);
                        if (difference != null) {
                            throw Copier.mismatch(run.place(), difference);
                        }
                        return Optional.of(Duration.ofNanos(System.nanoTime() - start));
                    }));
        }
    }

    /** While the lock is held and the stream is drained, both sides have the same rows; their snapshots keep them so. */
    private boolean takeSnapshots(ChangeStream stream, MoverSession reader, Connection from, Connection to) {
        return exclusively("take snapshots", SHARD, (on, dialect) -> {
            long start = System.nanoTime();
            requireOwner(dialect.ownership(on, run.place()));
            boolean drained = stream.awaitApplied(stream.position(reader), options.pause());
            if (drained) {
                beginSnapshot(from);
                beginSnapshot(to);
                // The lock was held all the time if its session still answers.
                requireOwner(dialect.ownership(on, run.place()));
            }
            run.context().listener().paused(run.status(), Duration.ofNanos(System.nanoTime() - start), false);
            return drained;
        });
    }

    /** False also when a lock was not free for as long as the mover waits for one: the stream goes on meanwhile. */
    private boolean exclusively(String step, LockScope[] scopes, MoverSession.Work<Boolean> work) {
        try {
            return run.source().runExclusively(step, scopes, work);
        } catch (ShardMapException failure) {
            boolean waited = failure.code() == ErrorCode.SHARD_MOVING || ServerFailures.isLockTimeout(failure);
            if (waited && !run.move().state().isSwitched()) {
                return false;
            }
            throw failure;
        }
    }

    private static void beginSnapshot(Connection connection) throws SQLException {
        try (Statement begin = connection.createStatement()) {
            begin.execute("set transaction isolation level repeatable read read only");
            begin.execute("select 1");
        }
    }

    private boolean switchAndClose(
            ChangeStream stream, MoverSession reader, ChangeCheck changes, SequencePairs sequences, boolean hashes) {
        long[] start = {0};
        boolean switched = false;
        try {
            switched = exclusively("switch", SHARD_AND_MAP, (on, dialect) -> {
                start[0] = System.nanoTime();
                requireOwner(dialect.ownership(on, run.place()));
                run.reached(CrashPoint.BEFORE_DRAIN);
                if (!isEqual(on, stream, reader, changes, sequences, hashes)) {
                    return false;
                }
                run.reached(CrashPoint.BEFORE_SWITCH);
                // The lock was held all the time if its session still answers.
                requireOwner(dialect.ownership(on, run.place()));
                run.become(cutOver.switchMap());
                run.reached(CrashPoint.AFTER_SWITCH);
                return cutOver.close(dialect, on);
            });
            return switched;
        } finally {
            if (start[0] != 0) {
                run.context().listener().paused(run.status(), Duration.ofNanos(System.nanoTime() - start[0]), switched);
            }
        }
    }

    /** Whether the target has everything in time; throws when that is not what the source has. */
    private boolean isEqual(
            Connection source,
            ChangeStream stream,
            MoverSession reader,
            ChangeCheck changes,
            SequencePairs sequences,
            boolean hashes)
            throws SQLException {
        String position = stream.position(reader);
        Together<SourceRead, Optional<List<ColumnSequence>>> both = Together.run(
                () -> {
                    definitions.hold(source);
                    definitions.requireSourceUnchanged(source);
                    return new SourceRead(
                            sequences.readSource(source), changes.readSource(source, position, options.pause()));
                },
                () -> {
                    definitions.requireTargetUnchanged(run.target());
                    List<ColumnSequence> there =
                            run.target().read("read sequences", (on, dialect) -> sequences.readTarget(on));
                    return Optional.of(there).filter(read -> stream.awaitApplied(position, options.pause()));
                });
        if (both.here().unsettled() == null || both.there().isEmpty()) {
            return false;
        }
        changes.requireEqual(both.here().unsettled(), source, hashes);
        List<ColumnSequence> given = both.here().sequences();
        List<ColumnSequence> there = both.there().get();
        if (SequencePairs.mustAdvance(given, there)) {
            run.target().run("advance sequences", (on, dialect) -> {
                sequences.advance(on, given, there);
                return true;
            });
        }
        return true;
    }

    /** What the source says under the lock; {@code unsettled} is null when it took too long to know. */
    private record SourceRead(List<ColumnSequence> sequences, ChangeCheck.@Nullable Unsettled unsettled) {}

    private void requireOwner(Ownership found) {
        if (found.isClosed() || found.epoch() != run.move().epoch()) {
            throw cutOver.contradiction("source=" + found);
        }
    }

    /**
     * Goes from SWITCHED, or SWITCHED_BACK, to an open target, whatever happened since: the source may have served until now. It is closed first, so that it
     * changes no more; then the target needs what the stream still has for it. When the stream cannot bring that, the rows are copied
     * again.
     */
    void finish() {
        long epoch = run.move().newEpoch();
        Ownership there = run.target().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        Ownership here = run.source().run("look", (on, dialect) -> dialect.ownership(on, run.place()));
        if ((here.isClosed() && here.epoch() != epoch) || (!there.isClosed() && there.epoch() != epoch)) {
            throw cutOver.contradiction("source=" + here + ", target=" + there);
        }
        if (!there.isClosed()) {
            if (!here.isClosed()) {
                throw cutOver.contradiction("source=" + here + ", target=" + there);
            }
            return;
        }
        if (!here.isClosed()) {
            run.source().runExclusively("close", SHARD_AND_MAP, (on, dialect) -> {
                requireOwner(dialect.ownership(on, run.place()));
                return cutOver.close(dialect, on);
            });
        } else if (!here.holdsCopies()) {
            throw cutOver.contradiction("source=" + here + ", target=" + there);
        }
        run.reached(CrashPoint.AFTER_CLOSE);
        if (!drained()) {
            ChangeStream.drop(run, EnumSet.of(way()));
            cutOver.settle();
        }
        open();
    }

    private ChangeStream.Way way() {
        return run.move().state().isBackwards() ? ChangeStream.Way.BACK : ChangeStream.Way.THERE;
    }

    /** Whether the stream made the target equal to the closed source. */
    private boolean drained() {
        ChangeStream stream = ChangeStream.latest(run, way());
        if (stream == null) {
            return false;
        }
        try {
            stream.check();
            // Nobody is served meanwhile, and there was little left when the map switched.
            if (!stream.awaitApplied(
                    stream.position(run.source()), run.move().options().lockWait())) {
                return false;
            }
        } catch (ShardMapException failure) {
            if (failure.code() == ErrorCode.STEP_FAILED) {
                return false;
            }
            throw failure;
        }
        if (copier.difference(run.source(), run.target()) != null) {
            return false;
        }
        copier.advanceSequences(run.source(), run.target());
        return true;
    }
}
