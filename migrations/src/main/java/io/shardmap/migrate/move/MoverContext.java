package io.shardmap.migrate.move;

import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.store.ShardMapStore;

/** What every mover of one {@link Moves} works with. */
record MoverContext(
        MoveStore moves, ShardMapStore maps, ServerPools pools, MoveHooks hooks, MoveListener listener, String owner) {

    /** Returns a copy with another listener. */
    MoverContext with(MoveListener other) {
        return new MoverContext(moves, maps, pools, hooks, other, owner);
    }
}
