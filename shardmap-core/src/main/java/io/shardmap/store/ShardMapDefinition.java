package io.shardmap.store;

import io.shardmap.ShardMap;
import io.shardmap.key.KeyType;
import io.shardmap.strategy.Strategy;

/**
 * What a new map is made of; its virtual shards start unassigned.
 *
 * @param name unique name, see {@link io.shardmap.ShardMap}
 * @param keyType type of its keys
 * @param strategy how a key becomes a virtual shard
 */
public record ShardMapDefinition(String name, KeyType keyType, Strategy strategy) {
    /**
     * Checks the name, and that the strategy can split keys of the type.
     *
     * @throws io.shardmap.ShardMapException with {@link io.shardmap.ErrorCode#INVALID_DEFINITION} when they break a rule
     */
    public ShardMapDefinition {
        ShardMap.requireName(name);
        strategy.requireFor(keyType);
    }
}
