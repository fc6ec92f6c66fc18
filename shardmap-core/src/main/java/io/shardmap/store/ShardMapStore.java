package io.shardmap.store;

import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import java.util.List;
import java.util.Map;

/**
 * The shard-map database. Reading needs read-only credentials; every change is one transaction that compares what it expects, raises
 * the map's generation and writes the audit log. Safe for use by many threads and processes.
 *
 * <p>Every method throws {@link io.shardmap.StoreUnavailableException} when the database does not answer.
 */
public interface ShardMapStore {

    /** Returns the names of all maps in alphabetical order. */
    List<String> mapNames();

    /** Returns the generation of every map by name: the cheap question whether anything changed. */
    Map<String, Long> generations();

    /**
     * Reads the current generation of a map, all parts from one snapshot.
     *
     * @throws io.shardmap.UnknownShardMapException when there is no such map
     * @throws io.shardmap.UnsupportedShardMapException when the map needs what this version does not know
     */
    ShardMap load(String map);

    /** Returns all servers ordered by name, used or not. */
    List<Server> servers();

    /**
     * Adds a server, or changes the URL and region of one that is known.
     *
     * @throws io.shardmap.ConcurrentChangeException when somebody changed it meanwhile
     */
    void putServer(Server server);

    /**
     * Creates a map with all its virtual shards unassigned.
     *
     * @return the new map, generation 1
     * @throws io.shardmap.ShardMapException with {@link io.shardmap.ErrorCode#INVALID_DEFINITION} when the name is taken
     */
    ShardMap createMap(ShardMapDefinition definition);

    /**
     * Replaces the placement of a virtual shard: a compare-and-set on all its parts.
     *
     * @param expected what the caller believes is stored
     * @param next what to store; the same number, an epoch that is not lower
     * @return the new generation of the map
     * @throws io.shardmap.ConcurrentChangeException when something else is stored; nothing was changed
     * @throws io.shardmap.UnknownServerException when {@code next} names an unknown server
     */
    long place(String map, VirtualShard expected, VirtualShard next);

    /**
     * Registers a table as split by a map.
     *
     * @return the new generation of the map
     * @throws io.shardmap.ShardMapException with {@link io.shardmap.ErrorCode#INVALID_DEFINITION} when it is registered already, split
     *     or as a reference table
     */
    long addTable(String map, ShardedTable table);

    /**
     * Registers a table as one of which every server has a full copy.
     *
     * @return the new generation of the map
     * @throws io.shardmap.ShardMapException with {@link io.shardmap.ErrorCode#INVALID_DEFINITION} when it is registered already, split
     *     or as a reference table
     */
    long addReferenceTable(String map, ReferenceTable table);

    /** Returns the latest changes, newest first, at most {@code limit}. */
    List<AuditEntry> audit(int limit);
}
