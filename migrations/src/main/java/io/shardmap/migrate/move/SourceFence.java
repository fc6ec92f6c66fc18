package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;

/**
 * The committed, expiring fence of the source. It is set and prolonged only under the exclusive lock: then whoever the server admitted
 * before has ended, and while the stored time is not over nobody was admitted since.
 */
final class SourceFence {
    private static final LockScope[] SHARD = {LockScope.VIRTUAL_SHARD};

    private final Place place;
    private final MoveStatus move;

    SourceFence(Place place, MoveStatus move) {
        this.place = place;
        this.move = move;
    }

    /** Fences the source, or prolongs its fence. Copies made before may be void: they are compared before they are kept. */
    void set(MoverSession source) {
        source.runExclusively("fence", SHARD, (on, dialect) -> {
            Ownership found = dialect.ownership(on, place);
            if (found.isClosed() || found.epoch() != move.epoch()) {
                throw new ConcurrentChangeException(
                        "source must own the virtual shard at the epoch of the move: server="
                                + source.server() + ", virtualShard=" + place + ", epoch=" + move.epoch() + ", found="
                                + found
                                + "; run `shardmap doctor`");
            }
            dialect.fence(on, place, move.options().fence());
            return true;
        });
    }

    /** Prolongs the fence if it has not run out, and never sets it anew; false when it has. */
    boolean prolong(MoverSession source) {
        return source.runExclusively("prolong the fence", SHARD, (on, dialect) -> {
            Ownership found = dialect.ownership(on, place);
            if (found.state() != Ownership.State.FENCED || !found.fenceLive()) {
                return false;
            }
            dialect.fence(on, place, move.options().fence());
            return true;
        });
    }
}
