package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Movers of a move that can be taken back die while eight writers work on its virtual shard, and each command that may follow heals: no
 * acknowledged write is lost, no row comes twice or back, and nothing is left over. What happens when servers die is in the table of
 * {@link MoveCrashTableTest}, too; here are those of its cells where the stream back is all that a server has.
 */
class ReversibleCrashTest {
    private static final Logger LOG = LoggerFactory.getLogger(ReversibleCrashTest.class);
    private static final Duration LEASE_RUNS_OUT = Duration.ofSeconds(60);

    private static final MoveOptions PLAIN = MoveOptions.DEFAULT
            .withGrace(Duration.ofSeconds(1))
            .withLease(Duration.ofSeconds(2))
            .withOnline(OnlineOptions.DEFAULT.withCatchUp(Duration.ofMinutes(2)));
    private static final MoveOptions REVERSIBLE =
            PLAIN.withOnline(PLAIN.online().withReversible(true));

    private enum Command {
        START(Moves::run),
        RESUME(Moves::resume),
        CANCEL(Moves::cancel),
        REVERSE(Moves::reverse),
        COMPLETE(Moves::complete);

        private final BiFunction<Moves, MoveId, MoveStatus> call;

        Command(BiFunction<Moves, MoveId, MoveStatus> call) {
            this.call = call;
        }

        /** A command that waits for the lease of a dead mover is tried until that runs out. */
        MoveState run(Moves moves, MoveId id) {
            long end = System.nanoTime() + LEASE_RUNS_OUT.toNanos();
            while (true) {
                try {
                    return call.apply(moves, id).state();
                } catch (ConcurrentChangeException busy) {
                    if (System.nanoTime() - end > 0) {
                        throw busy;
                    }
                    Waiting.pause(this, Duration.ofMillis(100));
                }
            }
        }

        /** The state that this command heals a move into that was found in another; null when it refuses, and says what to do. */
        @Nullable
        MoveState heals(MoveState found) {
            return switch (found) {
                case PLANNED, PREFLIGHTED, COPYING, CATCHING_UP, VERIFIED ->
                    this == CANCEL ? MoveState.ABORTED : MoveState.REVERSIBLE;
                case SWITCHED -> this == CANCEL ? null : MoveState.REVERSIBLE;
                case REVERSIBLE ->
                    switch (this) {
                        case CANCEL -> null;
                        case REVERSE -> MoveState.REVERSED;
                        case COMPLETE -> MoveState.DONE;
                        case START, RESUME -> MoveState.REVERSIBLE;
                    };
                case REVERSING -> this == CANCEL ? MoveState.REVERSIBLE : MoveState.REVERSED;
                case SWITCHED_BACK, REVERSED -> this == CANCEL ? null : MoveState.REVERSED;
                case CLEANING, DONE -> this == CANCEL ? null : MoveState.DONE;
                case ABORTING, ABORTED, FENCED, IRREVERSIBLE -> throw new AssertionError("not expected: " + found);
            };
        }
    }

    /** A command whose mover dies at a point, and the one that is called next. */
    private record Cell(Command struck, CrashPoint point, Command remedy) {

        /** Begins and ends with the virtual shard on "a". */
        void play(Moves moves) {
            long start = System.nanoTime();
            MoveId id = moves.start(BankLoad.MAP, 1, "b", REVERSIBLE);
            if (struck != Command.START) {
                assertEquals(MoveState.REVERSIBLE, moves.run(id).state());
            }
            assertThrows(Death.class, () -> struck.run(moves.withHooks(Death.at(point)), id), toString());
            MoveState found = moves.status(id).state();
            MoveState expected = remedy.heals(found);
            if (expected == null) {
                ShardMapException refusal =
                        assertThrows(ShardMapException.class, () -> remedy.run(moves, id), toString());
                assertEquals(ErrorCode.NOT_SUPPORTED, refusal.code(), refusal::getMessage);
                assertEquals(Command.RESUME.heals(found), Command.RESUME.run(moves, id), toString());
            } else {
                assertEquals(expected, remedy.run(moves, id), toString());
            }
            comeHome(moves, id);
            LOG.info("{}: found in {}, {} ms", this, found, (System.nanoTime() - start) / 1_000_000);
        }

        private static void comeHome(Moves moves, MoveId id) {
            MoveState state = moves.status(id).state();
            if (state == MoveState.REVERSIBLE) {
                assertEquals(MoveState.REVERSED, moves.reverse(id).state());
            } else if (state == MoveState.DONE) {
                MoveId back = moves.start(BankLoad.MAP, 1, "a", PLAIN);
                assertEquals(MoveState.DONE, moves.run(back).state());
            }
        }
    }

    @Test
    void moversDieUnderLoadAndNothingIsLost() throws Exception {
        play(List.of(
                new Cell(Command.REVERSE, CrashPoint.BEFORE_SWITCH, Command.CANCEL),
                new Cell(Command.REVERSE, CrashPoint.AFTER_SWITCH, Command.RESUME),
                new Cell(Command.COMPLETE, CrashPoint.AFTER_SLOT_DROPPED, Command.COMPLETE)));
    }

    @Test
    @Tag("deep")
    void moversDieAtEveryPointUnderLoadAndEveryCommandThatMayFollowHeals() throws Exception {
        Set<Cell> cells = new LinkedHashSet<>();
        try (BankScene scene = new BankScene()) {
            MoveId id = scene.moves().start(BankLoad.MAP, 1, "b", REVERSIBLE);
            points(scene.moves(), Command.START, id, List.of(Command.RESUME, Command.CANCEL), cells);
            points(scene.moves(), Command.REVERSE, id, List.of(Command.RESUME, Command.REVERSE, Command.CANCEL), cells);
            MoveId other = scene.moves().start(BankLoad.MAP, 1, "b", REVERSIBLE);
            scene.moves().run(other);
            points(scene.moves(), Command.COMPLETE, other, List.of(Command.RESUME, Command.COMPLETE), cells);
        }
        play(List.copyOf(cells));
    }

    /** Adds the points that a command passes when nothing happens. */
    private static void points(Moves moves, Command command, MoveId id, List<Command> remedies, Set<Cell> cells) {
        Set<CrashPoint> passed = new LinkedHashSet<>();
        command.run(moves.withHooks(passed::add), id);
        for (CrashPoint point : passed) {
            remedies.forEach(remedy -> cells.add(new Cell(command, point, remedy)));
        }
    }

    private static void play(List<Cell> cells) throws Exception {
        try (BankScene scene = new BankScene()) {
            BankLoad.Report report = scene.load().during(() -> cells.forEach(cell -> cell.play(scene.moves())));
            LOG.info("load over {} deaths: {}", cells.size(), report);
            scene.assertNothingLost("a", report);
        }
    }

    @Test
    void serversThatDieAreHealedByAnyCommandThatMayFollow() throws SQLException {
        List<CrashCell> cells = List.of(
                new CrashCell(CrashFlow.REVERSIBLE, CrashPoint.AFTER_BACK_BEGUN, CrashVictim.TARGET),
                new CrashCell(CrashFlow.REVERSAL_RESUMED, CrashPoint.BEFORE_SWITCH, CrashVictim.TARGET),
                new CrashCell(CrashFlow.REVERSAL_CANCELLED, CrashPoint.AFTER_COMPARE, CrashVictim.SOURCE));
        try (CrashScene scene = new CrashScene(cells.size())) {
            cells.forEach(scene::run);
            scene.assertAllHealed();
        }
    }
}
