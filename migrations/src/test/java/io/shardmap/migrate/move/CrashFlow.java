package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One command that may be struck at each of its crash points, and the one that heals what is left then. */
enum CrashFlow {
    ONLINE("move start --method online", "move resume", MoveState.DONE),
    ONLINE_CANCELLED("move start --method online", "move cancel", MoveState.ABORTED),
    PORTABLE("move start --method portable", "move resume", MoveState.DONE),
    PORTABLE_CANCELLED("move start --method portable", "move cancel", MoveState.ABORTED),
    REVERSIBLE("move start --method online --reversible", "move resume", MoveState.REVERSIBLE),
    REVERSIBLE_CANCELLED("move start --method online --reversible", "move cancel", MoveState.ABORTED),
    REVERSED("move reverse", "move reverse", MoveState.REVERSED),
    REVERSAL_RESUMED("move reverse", "move resume", MoveState.REVERSED),
    REVERSAL_CANCELLED("move reverse", "move cancel", MoveState.REVERSIBLE),
    COMPLETED("move complete", "move complete", MoveState.DONE),
    GIVEN_UP("move guard", "move complete", MoveState.DONE),
    CANCELLED("move cancel", "move resume", MoveState.ABORTED);

    private static final OnlineOptions ONLINE_OPTIONS = OnlineOptions.DEFAULT;
    private static final long LEAST_LOG = 1_000_000;

    private final String command;
    private final String remedy;
    private final MoveState goal;

    CrashFlow(String command, String remedy, MoveState goal) {
        this.command = command;
        this.remedy = remedy;
        this.goal = goal;
    }

    String command() {
        return command;
    }

    String remedy() {
        return remedy;
    }

    /** The state that the remedy must reach. */
    MoveState goal() {
        return goal;
    }

    MoveOptions options() {
        return switch (this) {
            case PORTABLE, PORTABLE_CANCELLED -> MoveWorld.QUICK;
            case ONLINE, ONLINE_CANCELLED, CANCELLED -> MoveWorld.QUICK.withOnline(ONLINE_OPTIONS);
            case REVERSIBLE, REVERSIBLE_CANCELLED, REVERSED, REVERSAL_RESUMED, REVERSAL_CANCELLED, COMPLETED ->
                MoveWorld.QUICK.withOnline(ONLINE_OPTIONS.withReversible(true));
            case GIVEN_UP ->
                MoveWorld.QUICK.withOnline(ONLINE_OPTIONS.withReversible(true).withWalLimit(LEAST_LOG));
        };
    }

    /** Does what must have happened before the command. */
    void prepare(MoveWorld world, ReversibleStory story, MoveId id) throws SQLException {
        switch (this) {
            case REVERSED, REVERSAL_RESUMED, REVERSAL_CANCELLED, COMPLETED, GIVEN_UP -> {
                assertEquals(MoveState.REVERSIBLE, world.moves().run(id).state());
                story.write(5);
                if (this == GIVEN_UP) {
                    world.execute(
                            world.server("b"),
                            "select pg_logical_emit_message(true, 'test', repeat('x', " + 2 * LEAST_LOG + "))");
                }
            }
            case CANCELLED ->
                assertThrows(
                        Death.class,
                        () -> world.moves()
                                .withHooks(Death.at(CrashPoint.AFTER_VERIFIED))
                                .run(id));
            default -> {}
        }
    }

    /** Whether the remedy undoes what was struck, which it refuses to do once the map has switched. */
    boolean undoes() {
        return remedy.equals("move cancel");
    }

    /** Whether the remedy is for a reversal that has begun. */
    boolean isReversalGoneOnWith() {
        return this == REVERSAL_RESUMED || this == REVERSAL_CANCELLED;
    }

    /** The state that going on reaches, when it is too late to undo. */
    MoveState onward() {
        return switch (this) {
            case REVERSIBLE_CANCELLED -> MoveState.REVERSIBLE;
            case REVERSAL_CANCELLED -> MoveState.REVERSED;
            default -> MoveState.DONE;
        };
    }

    /** The command that is struck. */
    MoveStatus act(Moves moves, MoveId id) {
        return switch (this) {
            case REVERSED, REVERSAL_RESUMED, REVERSAL_CANCELLED -> moves.reverse(id);
            case COMPLETED -> moves.complete(id);
            case GIVEN_UP -> moves.guard(id);
            case CANCELLED -> moves.cancel(id);
            default -> moves.run(id);
        };
    }

    MoveStatus heal(Moves moves, MoveId id) {
        return switch (remedy) {
            case "move resume" -> moves.resume(id);
            case "move cancel" -> moves.cancel(id);
            case "move reverse" -> moves.reverse(id);
            default -> moves.complete(id);
        };
    }

    /**
     * The points to strike at, of those that the command passes when nothing happens: a stretch that all commands have in common is struck
     * in the first one only.
     */
    List<CrashPoint> points(List<CrashPoint> passed) {
        List<CrashPoint> points = new ArrayList<>(passed);
        if (this == PORTABLE || this == PORTABLE_CANCELLED) {
            // A short move is over before its fence must be prolonged.
            points.add(points.indexOf(CrashPoint.AFTER_FENCE) + 1, CrashPoint.BEFORE_FENCE_RENEWAL);
        }
        return switch (this) {
            case ONLINE -> points;
            case ONLINE_CANCELLED, PORTABLE_CANCELLED ->
                points.subList(points.indexOf(CrashPoint.AFTER_PREFLIGHT), points.indexOf(CrashPoint.AFTER_SWITCH));
            case PORTABLE -> points.subList(points.indexOf(CrashPoint.BEFORE_PREPARE), points.size());
            case REVERSIBLE -> points.subList(points.indexOf(CrashPoint.AFTER_BACK_RECORDED), points.size());
            case REVERSIBLE_CANCELLED ->
                points.subList(points.indexOf(CrashPoint.AFTER_BACK_RECORDED), points.indexOf(CrashPoint.AFTER_SWITCH));
            case REVERSAL_RESUMED, REVERSAL_CANCELLED ->
                points.subList(points.indexOf(CrashPoint.AFTER_REVERSING), points.indexOf(CrashPoint.AFTER_OPEN));
            case REVERSED, COMPLETED, GIVEN_UP ->
                points.subList(points.indexOf(CrashPoint.AFTER_TARGET_TOKEN), points.size());
            // Before ABORTING is recorded, nobody who resumes knows that it shall be cancelled.
            case CANCELLED -> points.subList(points.indexOf(CrashPoint.BEFORE_REOPEN), points.size());
        };
    }
}
