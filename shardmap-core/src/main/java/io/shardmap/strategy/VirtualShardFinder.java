package io.shardmap.strategy;

import io.shardmap.key.ShardKey;

/** A strategy made ready for the keys of one type: finds the virtual shard of a key without I/O. Immutable. */
public sealed interface VirtualShardFinder permits KeyFunction, RangeFinder, TokenFinder {

    /** Result of {@link #virtualShardOf} for a key outside every virtual shard. */
    int UNMAPPED = -1;

    /** Returns how many virtual shards there are: every result is below it. */
    int virtualShards();

    /**
     * Returns the virtual shard of a key of the type that the finder was made for, or {@link #UNMAPPED}.
     *
     * @throws io.shardmap.InvalidKeyException when no such key can exist, such as an ISBN with a wrong check digit
     */
    int virtualShardOf(ShardKey key);

    /** Like {@link #virtualShardOf(ShardKey)} for integral keys, without allocating. */
    default int virtualShardOf(long key) {
        return virtualShardOf(new ShardKey.Integral(key));
    }
}
