package io.shardmap.cli.command;

import io.shardmap.VirtualShard;
import org.jspecify.annotations.Nullable;

/** A virtual shard as it is printed. */
record ShardRow(int virtualShard, @Nullable String server, long epoch, VirtualShard.State state) {
    static ShardRow of(VirtualShard shard) {
        return new ShardRow(shard.id(), shard.server(), shard.epoch(), shard.state());
    }
}
