package io.shardmap.migrate.move;

import java.util.Set;

/**
 * How far a move is. Kept in the shard-map database; every change is a compare-and-set on the move, its state and its lease. A move by
 * fence and copy passes PLANNED, PREFLIGHTED, COPYING, VERIFIED, SWITCHED, CLEANING, DONE; an online move passes CATCHING_UP between
 * COPYING and VERIFIED. A reversible one waits in REVERSIBLE after SWITCHED: from there it goes through CLEANING to DONE, or through
 * REVERSING and SWITCHED_BACK to REVERSED.
 */
public enum MoveState {
    /** Recorded; nothing was changed on a server. */
    PLANNED,
    /** All conditions were checked. */
    PREFLIGHTED,
    /** The target may hold copies, the source may be fenced. */
    COPYING,
    /** A stream of changes closes the gap (online method). */
    CATCHING_UP,
    /** The copies were equal to the source: under its fence, or as of one instant (online method). */
    VERIFIED,
    /** The source is fenced for the cut-over; not entered by this version, whose online method fences by a lock only. */
    FENCED,
    /** The map names the target: the point of no return. */
    SWITCHED,
    /** The target serves, a stream keeps the source's rows equal to its own: waits, without a mover, for reverse or complete. */
    REVERSIBLE,
    /** As {@link #REVERSIBLE}, but the stream was given up: waits, without a mover, for complete. */
    IRREVERSIBLE,
    /** The target serves; the source's rows are being removed. */
    CLEANING,
    /** Over: the target serves, nothing is left on the source. */
    DONE,
    /** Being undone: the source is opened again, the copies are removed. */
    ABORTING,
    /** Over: the source serves as before, nothing is left on the target. */
    ABORTED,
    /** Being taken back after the switch; the target serves still. */
    REVERSING,
    /** The map names the source again: the point of no return of the way back. The target's rows are removed then. */
    SWITCHED_BACK,
    /** Over: taken back after the switch; the source serves, nothing is left on the target. */
    REVERSED;

    private static final Set<MoveState> SWITCHED_ALREADY =
            Set.of(SWITCHED, REVERSIBLE, IRREVERSIBLE, CLEANING, DONE, REVERSING, SWITCHED_BACK, REVERSED);
    private static final Set<MoveState> WAITING = Set.of(REVERSIBLE, IRREVERSIBLE);
    private static final Set<MoveState> OVER = Set.of(DONE, ABORTED, REVERSED);

    /** Returns whether the map has named the target, so that the move cannot be cancelled any more. */
    public boolean isSwitched() {
        return SWITCHED_ALREADY.contains(this);
    }

    /** Returns whether nothing is left to do. */
    public boolean isOver() {
        return OVER.contains(this);
    }

    /** Returns whether the move waits for somebody to decide whether it is reversed or completed; no mover works on it. */
    public boolean isWaiting() {
        return WAITING.contains(this);
    }

    /** Returns whether no mover is needed: the move is over, or waits for a decision. */
    public boolean isAtRest() {
        return isOver() || isWaiting();
    }

    /** Returns whether the virtual shard is on its way back, so that the move's target is what it leaves. */
    boolean isBackwards() {
        return this == REVERSING || this == SWITCHED_BACK;
    }
}
