package io.shardmap.resolve;

import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.StoreUnavailableException;
import io.shardmap.UnknownShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.key.KeyType;
import io.shardmap.store.AuditEntry;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.store.ShardMapStore;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in memory that counts what it is asked, and can be down, slow or of another opinion. */
final class FakeStore implements ShardMapStore {
    final AtomicInteger loads = new AtomicInteger();
    final AtomicInteger questions = new AtomicInteger();
    /** Runs at the start of every load, on the thread that loads. */
    volatile Runnable beforeLoad = () -> {};
    /** Runs when a load has read its map and not yet returned it. */
    volatile Runnable afterRead = () -> {};
    /** What every call throws; null while the store is up. */
    volatile RuntimeException failure;
    /** What a load of one map throws. */
    final Map<String, RuntimeException> refusals = new ConcurrentHashMap<>();

    private final Map<String, ShardMap> maps = new ConcurrentHashMap<>();

    void put(String name, int number, long generation) {
        VirtualShard shard = new VirtualShard(0, "s" + generation, generation, VirtualShard.State.ASSIGNED);
        maps.put(
                name,
                new ShardMap(
                        name,
                        number,
                        KeyType.LONG,
                        new Strategy.Lookup(new KeyFunction.Identity(1)),
                        generation,
                        List.of(shard),
                        List.of(new Server("s" + generation, null)),
                        List.of()));
    }

    void put(String name, long generation) {
        put(name, 1, generation);
    }

    void remove(String name) {
        maps.remove(name);
    }

    void goDown() {
        failure = new StoreUnavailableException("load", new SQLException("connection refused", "08001"));
    }

    void comeBack() {
        failure = null;
    }

    int calls() {
        return loads.get() + questions.get();
    }

    @Override
    public ShardMap load(String map) {
        loads.incrementAndGet();
        beforeLoad.run();
        failIfDown();
        RuntimeException refusal = refusals.get(map);
        if (refusal != null) {
            throw refusal;
        }
        ShardMap stored = maps.get(map);
        afterRead.run();
        if (stored == null) {
            throw new UnknownShardMapException(map);
        }
        return stored;
    }

    @Override
    public Map<String, Long> generations() {
        questions.incrementAndGet();
        failIfDown();
        Map<String, Long> generations = new TreeMap<>();
        maps.forEach((name, map) -> generations.put(name, map.generation()));
        return generations;
    }

    private void failIfDown() {
        RuntimeException down = failure;
        if (down != null) {
            throw down;
        }
    }

    @Override
    public List<String> mapNames() {
        return List.copyOf(generations().keySet());
    }

    @Override
    public List<Server> servers() {
        throw new UnsupportedOperationException();
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
    public long place(String map, VirtualShard expected, VirtualShard next) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addTable(String map, ShardedTable table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long addReferenceTable(String map, ReferenceTable table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<AuditEntry> audit(int limit) {
        throw new UnsupportedOperationException();
    }
}
