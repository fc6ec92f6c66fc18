package io.shardmap.migrate.move;

/** What an exclusive lock covers on one server. */
enum LockScope {
    /** One virtual shard: waits for the transactions that entered it. */
    VIRTUAL_SHARD,
    /** The whole map: waits for running fan-outs. */
    MAP;

    /** Returns the second part of the lock's key. */
    int key(Place place) {
        return this == MAP ? -1 : place.virtualShard();
    }
}
