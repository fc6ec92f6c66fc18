package io.shardmap.migrate.move;

import java.util.Set;

/**
 * How far a move is. Kept in the shard-map database; every change is a compare-and-set on the move, its state and its lease. A move by
 * fence and copy passes PLANNED, PREFLIGHTED, COPYING, VERIFIED, SWITCHED, CLEANING, DONE; an online move passes CATCHING_UP between
 * COPYING and VERIFIED.
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
    /** The target serves; the source's rows are being removed. */
    CLEANING,
    /** Over: the target serves, nothing is left on the source. */
    DONE,
    /** Being undone: the source is opened again, the copies are removed. */
    ABORTING,
    /** Over: the source serves as before, nothing is left on the target. */
    ABORTED,
    /** Being taken back after the switch; not entered by this version. */
    REVERSING,
    /** Over: taken back after the switch; not entered by this version. */
    REVERSED;

    private static final Set<MoveState> SWITCHED_ALREADY = Set.of(SWITCHED, CLEANING, DONE, REVERSING, REVERSED);
    private static final Set<MoveState> OVER = Set.of(DONE, ABORTED, REVERSED);

    /** Returns whether the map names the target already, so that the move can only go forward. */
    public boolean isSwitched() {
        return SWITCHED_ALREADY.contains(this);
    }

    /** Returns whether nothing is left to do. */
    public boolean isOver() {
        return OVER.contains(this);
    }
}
