package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.pool.ServerPools;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * What a fan-out needs to know of one generation of a map, computed once.
 *
 * @param map the generation
 * @param servers the servers that hold virtual shards, by name: the global order in which connections are taken
 * @param placements the virtual shards of each of them
 * @param unassigned virtual shards on no server
 * @param product their product
 */
record MapView(
        ShardMap map,
        List<Server> servers,
        Map<String, List<Integer>> placements,
        List<Integer> unassigned,
        SqlProduct product) {

    static MapView of(ShardMap map, ServerPools pools) throws SQLException {
        Map<String, List<Integer>> placements = map.placements();
        List<Server> servers = placements.keySet().stream().map(map::server).toList();
        List<Integer> unassigned = map.virtualShards().stream()
                .filter(shard -> shard.server() == null)
                .map(VirtualShard::id)
                .toList();
        SqlProduct product = SqlProduct.ofAll(servers.stream().map(pools::url).toList());
        return new MapView(map, servers, placements, unassigned, product);
    }

    /** Returns the same with some of the servers. */
    MapView asking(List<Server> some) {
        return new MapView(map, some, placements, unassigned, product);
    }
}
