package io.shardmap.cli.command;

import io.shardmap.ShardMap;
import io.shardmap.VirtualShard;
import io.shardmap.key.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * A map as it is listed.
 *
 * @param assigned how many of its virtual shards are on a server
 * @param servers how many servers hold some of them
 */
record MapRow(
        String name,
        KeyType keyType,
        String strategy,
        @Nullable String function,
        int virtualShards,
        long assigned,
        int servers,
        int tables,
        long generation) {
    static MapRow of(ShardMap map) {
        return new MapRow(
                map.name(),
                map.keyType(),
                map.strategy().strategyName(),
                KeyFunctions.text(map.strategy()),
                map.virtualShards().size(),
                map.virtualShards().stream()
                        .filter(shard -> shard.state() != VirtualShard.State.UNASSIGNED)
                        .count(),
                map.placements().size(),
                map.tables().size(),
                map.generation());
    }
}
