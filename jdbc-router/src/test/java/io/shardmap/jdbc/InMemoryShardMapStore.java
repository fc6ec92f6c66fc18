package io.shardmap.jdbc;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.UnknownShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.store.AuditEntry;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.store.ShardMapStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A shard-map database in memory, for tests that are not about the shard-map database. */
public final class InMemoryShardMapStore implements ShardMapStore {
    private final Map<String, ShardMap> maps = new TreeMap<>();
    private final Map<String, Server> servers = new TreeMap<>();

    @Override
    public synchronized List<String> mapNames() {
        return List.copyOf(maps.keySet());
    }

    @Override
    public synchronized Map<String, Long> generations() {
        Map<String, Long> generations = new TreeMap<>();
        maps.forEach((name, map) -> generations.put(name, map.generation()));
        return generations;
    }

    @Override
    public synchronized ShardMap load(String map) {
        ShardMap loaded = maps.get(map);
        if (loaded == null) {
            throw new UnknownShardMapException(map);
        }
        return loaded;
    }

    @Override
    public synchronized List<Server> servers() {
        return List.copyOf(servers.values());
    }

    @Override
    public synchronized void putServer(Server server) {
        servers.put(server.name(), server);
    }

    /** Removes a server that holds nothing, as an operator would when it is empty; raises the generation of all maps. */
    public synchronized void removeServer(String name) {
        servers.remove(name);
        List.copyOf(maps.values()).forEach(map -> put(map, map.virtualShards(), map.tables(), map.referenceTables()));
    }

    @Override
    public synchronized ShardMap createMap(ShardMapDefinition definition) {
        if (maps.containsKey(definition.name())) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "map name must be free: name=" + definition.name());
        }
        List<VirtualShard> shards = new ArrayList<>();
        int count = ((io.shardmap.strategy.Strategy.Lookup) definition.strategy())
                .function()
                .virtualShards();
        for (int id = 0; id < count; id++) {
            shards.add(VirtualShard.unassigned(id));
        }
        ShardMap map = new ShardMap(
                definition.name(),
                maps.size() + 1,
                definition.keyType(),
                definition.strategy(),
                1,
                shards,
                servers(),
                List.of());
        maps.put(map.name(), map);
        return map;
    }

    @Override
    public synchronized long place(String map, VirtualShard expected, VirtualShard next) {
        ShardMap old = load(map);
        if (!old.virtualShards().get(expected.id()).equals(expected)) {
            throw new ConcurrentChangeException("virtual shard must be as expected: " + expected);
        }
        List<VirtualShard> shards = new ArrayList<>(old.virtualShards());
        shards.set(next.id(), next);
        return put(old, shards, old.tables(), old.referenceTables());
    }

    @Override
    public synchronized long addTable(String map, ShardedTable table) {
        ShardMap old = load(map);
        List<ShardedTable> tables = new ArrayList<>(old.tables());
        tables.add(table);
        return put(old, old.virtualShards(), tables, old.referenceTables());
    }

    @Override
    public synchronized long addReferenceTable(String map, ReferenceTable table) {
        ShardMap old = load(map);
        List<ReferenceTable> tables = new ArrayList<>(old.referenceTables());
        tables.add(table);
        return put(old, old.virtualShards(), old.tables(), tables);
    }

    private long put(
            ShardMap old, List<VirtualShard> shards, List<ShardedTable> tables, List<ReferenceTable> referenceTables) {
        ShardMap next = new ShardMap(
                old.name(),
                old.number(),
                old.keyType(),
                old.strategy(),
                old.generation() + 1,
                shards,
                servers(),
                tables,
                referenceTables);
        maps.put(next.name(), next);
        return next.generation();
    }

    @Override
    public List<AuditEntry> audit(int limit) {
        return List.of();
    }
}
