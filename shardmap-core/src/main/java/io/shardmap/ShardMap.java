package io.shardmap;

import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.strategy.Strategy;
import io.shardmap.strategy.VirtualShardFinder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A named key space: one generation of it, validated and immutable, so any number of threads may use it. It may be older than what is
 * true now; servers decide.
 */
public final class ShardMap {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,49}");

    /** The largest number of a map: map numbers share an int4 with a reserved constant in lock keys. */
    public static final int MAX_NUMBER = 65_535;

    private final String name;
    private final int number;
    private final KeyType keyType;
    private final Strategy strategy;
    private final long generation;
    private final List<VirtualShard> virtualShards;
    private final Map<String, Server> servers;
    private final List<ShardedTable> tables;
    private final List<ReferenceTable> referenceTables;
    private final @Nullable VirtualShardFinder finder;
    private final @Nullable Route[] routes;

    /** Makes a map without reference tables, see {@link #ShardMap(String, int, KeyType, Strategy, long, List, List, List, List)}. */
    public ShardMap(
            String name,
            int number,
            KeyType keyType,
            Strategy strategy,
            long generation,
            List<VirtualShard> virtualShards,
            List<Server> servers,
            List<ShardedTable> tables) {
        this(name, number, keyType, strategy, generation, virtualShards, servers, tables, List.of());
    }

    /**
     * Validates a generation of a map.
     *
     * @param name 1 to 50 lower-case letters, digits, {@code _} or {@code -}, starting with a letter
     * @param number number of the map in its shard-map database, 1 to {@link #MAX_NUMBER}
     * @param keyType type of its keys
     * @param strategy how a key becomes a virtual shard
     * @param generation version of the whole map, from 1
     * @param virtualShards all virtual shards in order of their numbers, from 0 without a gap
     * @param servers the servers that the placements may name
     * @param tables the tables that are split by this map
     * @param referenceTables the tables of which every server has a full copy; none of them is split as well
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the parts contradict each other
     */
    public ShardMap(
            String name,
            int number,
            KeyType keyType,
            Strategy strategy,
            long generation,
            List<VirtualShard> virtualShards,
            List<Server> servers,
            List<ShardedTable> tables,
            List<ReferenceTable> referenceTables) {
        this.name = requireName(name);
        this.number = number;
        this.keyType = keyType;
        this.strategy = strategy.requireFor(keyType);
        this.generation = generation;
        this.virtualShards = List.copyOf(virtualShards);
        this.tables = List.copyOf(tables);
        this.referenceTables = List.copyOf(referenceTables);
        Map<String, Server> byName = new TreeMap<>();
        servers.forEach(server -> byName.put(server.name(), server));
        this.servers = Map.copyOf(byName);
        require(number >= 1 && number <= MAX_NUMBER, "map number must be 1 to " + MAX_NUMBER + ": number=" + number);
        require(generation >= 1, "generation must be >= 1: generation=" + generation);
        for (ReferenceTable reference : this.referenceTables) {
            require(
                    this.tables.stream()
                            .noneMatch(table -> table.qualifiedName().equals(reference.qualifiedName())),
                    "table must be sharded or a reference table, not both: table=" + reference.qualifiedName());
        }
        this.finder = strategy.finder(keyType);
        if (finder != null) {
            require(
                    this.virtualShards.size() == finder.virtualShards(),
                    "map must have the virtual shards of its strategy: virtualShards=" + this.virtualShards.size()
                            + ", strategy=" + strategy.strategyName() + " with " + finder.virtualShards());
        }
        this.routes = new Route[this.virtualShards.size()];
        for (int id = 0; id < routes.length; id++) {
            VirtualShard shard = this.virtualShards.get(id);
            require(
                    shard.id() == id,
                    "virtual shards must be numbered from 0 without a gap: expected=" + id + ", seen=" + shard.id());
            String serverName = shard.server();
            if (serverName != null) {
                Server server = this.servers.get(serverName);
                if (server == null) {
                    throw invalid("placement must name a known server: virtualShard=" + id + ", server=" + serverName);
                }
                routes[id] = new Route(name, number, id, shard.epoch(), server, generation);
            }
        }
    }

    /**
     * Returns the name if it can name a map.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when it cannot
     */
    public static String requireName(String name) {
        require(
                NAME.matcher(name).matches(),
                "map name must be 1 to 50 lower-case letters, digits, _ or -, starting with a letter: name=" + name);
        return name;
    }

    private static void require(boolean rule, String message) {
        if (!rule) {
            throw invalid(message);
        }
    }

    private static ShardMapException invalid(String message) {
        return new ShardMapException(ErrorCode.INVALID_DEFINITION, message);
    }

    /** Returns the unique name. */
    public String name() {
        return name;
    }

    /** Returns the number that stands for the map in lock keys and ownership rows. */
    public int number() {
        return number;
    }

    /** Returns the type of the keys. */
    public KeyType keyType() {
        return keyType;
    }

    /** Returns how a key becomes a virtual shard. */
    public Strategy strategy() {
        return strategy;
    }

    /** Returns the version of the whole map. */
    public long generation() {
        return generation;
    }

    /** Returns all virtual shards; the index is the number. */
    public List<VirtualShard> virtualShards() {
        return virtualShards;
    }

    /** Returns the tables split by this map. */
    public List<ShardedTable> tables() {
        return tables;
    }

    /** Returns the tables of which every server has a full copy. */
    public List<ReferenceTable> referenceTables() {
        return referenceTables;
    }

    /** Returns all servers that a placement may name, used or not, ordered by name. */
    public List<Server> servers() {
        return servers.values().stream()
                .sorted(Comparator.comparing(Server::name))
                .toList();
    }

    /**
     * Returns a server that a placement may name.
     *
     * @throws UnknownServerException when there is none of this name
     */
    public Server server(String serverName) {
        Server server = servers.get(serverName);
        if (server == null) {
            throw new UnknownServerException(serverName);
        }
        return server;
    }

    /** Returns the servers that hold at least one virtual shard, with the numbers they hold, ordered by server name. */
    public Map<String, List<Integer>> placements() {
        Map<String, List<Integer>> byServer = new TreeMap<>();
        Map<String, ArrayList<Integer>> lists = new HashMap<>();
        for (VirtualShard shard : virtualShards) {
            String server = shard.server();
            if (server != null) {
                lists.computeIfAbsent(server, s -> new ArrayList<>()).add(shard.id());
            }
        }
        lists.forEach((server, ids) -> byServer.put(server, List.copyOf(ids)));
        return byServer;
    }

    /**
     * Returns the virtual shard of a key, before asking where it is placed.
     *
     * @throws InvalidKeyException when the value is not a key of this map
     * @throws UnmappedKeyException when no virtual shard holds it
     * @throws UnsupportedShardMapException when this version cannot route the map's strategy
     */
    public int virtualShardOf(Object key) {
        ShardKey canonical = keyType.canonical(key instanceof ShardKey shardKey ? shardKey.toObject() : key);
        int id = finder().virtualShardOf(canonical);
        if (id == VirtualShardFinder.UNMAPPED) {
            throw unmapped(canonical);
        }
        return id;
    }

    /**
     * Returns where a key lives.
     *
     * @param key a value of the map's key type
     * @throws InvalidKeyException when the value is not a key of this map
     * @throws UnmappedKeyException when no assigned virtual shard holds it
     * @throws UnsupportedShardMapException when this version cannot route the map's strategy
     */
    public Route route(Object key) {
        return routeOf(virtualShardOf(key));
    }

    /** Like {@link #route(Object)} for integral keys, without allocating. */
    public Route route(long key) {
        if (keyType != KeyType.LONG && (keyType != KeyType.INTEGER || key != (int) key)) {
            keyType.canonical(key);
        }
        int id = finder().virtualShardOf(key);
        if (id == VirtualShardFinder.UNMAPPED) {
            throw unmapped(key);
        }
        return routeOf(id);
    }

    /**
     * Returns where a virtual shard lives.
     *
     * @throws UnmappedKeyException when there is no such virtual shard, or it is on no server yet
     */
    public Route routeOf(int virtualShard) {
        if (virtualShard < 0 || virtualShard >= routes.length) {
            throw new UnmappedKeyException(
                    name, "virtual shard " + virtualShard, "the map has virtual shards 0 to " + (routes.length - 1));
        }
        Route route = routes[virtualShard];
        if (route == null) {
            throw new UnmappedKeyException(
                    name,
                    "virtual shard " + virtualShard,
                    "it is on no server yet: run `shardmap shard assign --map " + name + " " + virtualShard
                            + " --server NAME`");
        }
        return route;
    }

    private VirtualShardFinder finder() {
        if (finder == null) {
            throw new UnsupportedShardMapException(name, "routing by strategy " + strategy.strategyName());
        }
        return finder;
    }

    private UnmappedKeyException unmapped(Object key) {
        return new UnmappedKeyException(
                name,
                key,
                strategy instanceof Strategy.Range
                        ? "no slice of the map holds it"
                        : "virtual shards are 0 to " + (routes.length - 1));
    }

    @Override
    public String toString() {
        return "ShardMap[" + name + ", generation " + generation + ", " + virtualShards.size() + " virtual shards]";
    }
}
