package io.shardmap.migrate.move;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A move as the shard-map database has it.
 *
 * @param id its number
 * @param map name of the map
 * @param virtualShard number of the virtual shard
 * @param source server it leaves
 * @param target server it goes to
 * @param epoch its epoch on the source when the move was planned; once it was taken back, its epoch on the target
 * @param newEpoch its epoch on the target, 0 until it is known; once it was taken back, its epoch on the source
 * @param state how far the move is
 * @param lease fencing number of the mover that works on it; grows whenever another takes over
 * @param leaseOwner who holds the lease, null before the first
 * @param leaseUntil when the lease runs out, by the clock of the shard-map database, null before the first
 * @param leaseLive whether the lease had not run out when this was read
 * @param options settings of the move
 * @param createdAt when it was recorded
 * @param updatedAt when it last changed
 * @param error why it failed last, null when it did not
 */
public record MoveStatus(
        MoveId id,
        String map,
        int virtualShard,
        String source,
        String target,
        long epoch,
        long newEpoch,
        MoveState state,
        long lease,
        @Nullable String leaseOwner,
        @Nullable Instant leaseUntil,
        boolean leaseLive,
        MoveOptions options,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String error) {

    /** Returns map and virtual shard for people, such as {@code books/6}. */
    public String shard() {
        return map + "/" + virtualShard;
    }

    /** Returns whether the move lacks a mover: its state needs one, and its lease has run out. */
    public boolean isOrphaned() {
        return !state.isAtRest() && !leaseLive;
    }

    /** Returns the way back as a move of its own: it leaves the target for the source. */
    MoveStatus turned(long epochThere, long epochBack) {
        return new MoveStatus(
                id,
                map,
                virtualShard,
                target,
                source,
                epochThere,
                epochBack,
                state,
                lease,
                leaseOwner,
                leaseUntil,
                leaseLive,
                options,
                createdAt,
                updatedAt,
                error);
    }
}
