package io.shardmap.jdbc;

import io.shardmap.jdbc.fanout.FanOutListener;
import io.shardmap.jdbc.pool.PoolListener;
import io.shardmap.jdbc.routed.RoutingListener;
import io.shardmap.resolve.ShardMapCacheListener;

/**
 * Is told everything that a router does, for metrics and logs. Called by the working threads, so it should return soon, and must not
 * throw. Every method does nothing by default.
 */
public interface RouterListener extends ShardMapCacheListener, PoolListener, RoutingListener, FanOutListener {}
