package io.shardmap.jdbc.routed;

import io.shardmap.key.ShardKey;
import java.sql.ShardingKey;

/**
 * The JDBC 4.3 form of a shard key, made by the data source of its map.
 *
 * @param map name of the map
 * @param key the key in its canonical form
 */
public record RoutingKey(String map, ShardKey key) implements ShardingKey {}
