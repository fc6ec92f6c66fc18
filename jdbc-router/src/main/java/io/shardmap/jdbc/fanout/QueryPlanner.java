package io.shardmap.jdbc.fanout;

import io.shardmap.ShardMap;

/**
 * Plans queries that the router's own planner, which knows flat queries over one table, refuses. The one that {@link
 * java.util.ServiceLoader} finds is used; {@code shardmap-query} brings one. Pure: the same request gives the same plan, and nothing is
 * asked. Safe for use by many threads.
 */
public interface QueryPlanner {

    /** Returns a plan, or a {@link FanOutPlan.Refusal} that names the construct and the way out. */
    FanOutPlan plan(Request request);

    /**
     * A query to plan. Plans are kept by text and generation of the map, so each is asked for once.
     *
     * @param sql the query as the caller wrote it
     * @param map the generation of the map
     * @param product the product of the map's servers
     * @param streaming false when the servers have said that the order or equality of a type is not Java's: only a {@link
     *     FanOutPlan.Coordinated} will do
     */
    record Request(String sql, ShardMap map, SqlProduct product, boolean streaming) {}
}
