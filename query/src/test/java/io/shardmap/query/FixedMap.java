package io.shardmap.query;

import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.key.KeyType;
import io.shardmap.store.AuditEntry;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.store.ShardMapStore;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A shard-map database with one map that never changes: virtual shards are dealt out over the servers in turn. */
record FixedMap(ShardMap map) implements ShardMapStore {

    static FixedMap of(List<Server> servers, int virtualShards, ShardedTable... tables) {
        List<VirtualShard> shards = IntStream.range(0, virtualShards)
                .mapToObj(id ->
                        new VirtualShard(id, servers.get(id % servers.size()).name(), 1, VirtualShard.State.ASSIGNED))
                .toList();
        return new FixedMap(new ShardMap(
                "books",
                1,
                KeyType.INTEGER,
                new Strategy.Lookup(new KeyFunction.Identity(virtualShards)),
                1,
                shards,
                servers,
                List.of(tables)));
    }

    FixedMap withReferences(ReferenceTable... references) {
        return new FixedMap(new ShardMap(
                map.name(),
                map.number(),
                map.keyType(),
                map.strategy(),
                map.generation(),
                map.virtualShards(),
                map.servers(),
                map.tables(),
                List.of(references)));
    }

    @Override
    public List<String> mapNames() {
        return List.of(map.name());
    }

    @Override
    public Map<String, Long> generations() {
        return Map.of(map.name(), map.generation());
    }

    @Override
    public ShardMap load(String name) {
        return map;
    }

    @Override
    public List<Server> servers() {
        return List.of();
    }

    @Override
    public void putServer(Server server) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ShardMap createMap(ShardMapDefinition definition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long place(String name, VirtualShard expected, VirtualShard next) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addTable(String name, ShardedTable table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addReferenceTable(String name, ReferenceTable table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<AuditEntry> audit(int limit) {
        return List.of();
    }
}
