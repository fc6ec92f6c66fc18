package io.shardmap.store;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.UnknownServerException;
import io.shardmap.UnknownShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.strategy.Strategy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * All changes of the catalogue. Each takes the row of its map first, so changes of one map follow each other and cannot deadlock; a
 * transaction that changes several maps takes them in alphabetical order.
 */
final class JdbcShardMapTransaction implements ShardMapTransaction {
    private static final int BATCH = 1_000;

    private final Connection connection;
    private final Dialect dialect;
    private final String who;

    JdbcShardMapTransaction(StoreConnection store, String who) {
        this.connection = store.jdbc();
        this.dialect = store.dialect();
        this.who = who;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public VirtualShard lock(String map, int virtualShard) throws SQLException {
        lockMap(map);
        return stored(map, virtualShard);
    }

    @Override
    public long place(String map, VirtualShard expected, VirtualShard next) throws SQLException {
        requireSuccessor(map, expected, next);
        long generation = raiseGeneration(map);
        String server = next.server();
        if (server != null && storedServer(server) == null) {
            throw new UnknownServerException(server);
        }
        int changed = update(
                """
                update "shardmap_catalog"."virtual_shard"
                   set "server" = ?, "epoch" = ?, "state" = ?
                 where "map" = ? and "id" = ?
                   and "server" is not distinct from ? and "epoch" = ? and "state" = ?
                """,
                server,
                next.epoch(),
                next.state().name(),
                map,
                expected.id(),
                expected.server(),
                expected.epoch(),
                expected.state().name());
        if (changed == 0) {
            throw new ConcurrentChangeException(
                    "virtual shard must be as expected: map=" + map + ", virtualShard=" + expected.id() + ", expected="
                            + describe(expected) + ", found=" + describe(stored(map, expected.id()))
                            + "; read the map again and decide anew");
        }
        audit("place " + map + "/" + next.id(), describe(expected), describe(next));
        dialect.notifyChange(connection, map, generation);
        return generation;
    }

    private static void requireSuccessor(String map, VirtualShard expected, VirtualShard next) {
        boolean changesOwner = next.server() != null && !next.server().equals(expected.server());
        if (next.id() != expected.id()
                || next.epoch() < expected.epoch()
                || (changesOwner && next.epoch() == expected.epoch())) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "placement must keep the virtual shard's number, and raise its epoch when the owner changes: map="
                            + map + ", expected=" + expected + ", next=" + next);
        }
    }

    @Override
    public void audit(String what, @Nullable String before, @Nullable String after) throws SQLException {
        update("""
                insert into "shardmap_catalog"."audit_log" ("who", "what", "before", "after")
                values (cast(? as varchar(200)) || ' as ' || cast(current_user as varchar(90)), ?, ?, ?)
                """, who, what, before, after);
    }

    /** Adds or changes a server; every map's generation grows, because every map may name it. Does nothing when it is stored so. */
    void putServer(Server server) throws SQLException {
        List<String> maps = lockAllMaps();
        Server before = storedServer(server.name());
        if (server.equals(before)) {
            return;
        }
        if (before == null) {
            insertServer(server);
        } else {
            changeServer(before, server);
        }
        audit("put server " + server.name(), before == null ? null : describe(before), describe(server));
        for (String map : maps) {
            dialect.notifyChange(connection, map, raiseGeneration(map));
        }
    }

    private List<String> lockAllMaps() throws SQLException {
        return Rows.list(connection, row -> row.getString("name"), """
                select "name" from "shardmap_catalog"."shard_map" order by "name" for update
                """);
    }

    private void changeServer(Server before, Server server) throws SQLException {
        int changed = update(
                """
                update "shardmap_catalog"."server"
                   set "url" = ?, "region" = ?, "replication_url" = ?
                 where "name" = ? and "url" is not distinct from ? and "region" is not distinct from ?
                   and "replication_url" is not distinct from ?
                """,
                server.url(),
                server.region(),
                server.replicationUrl(),
                server.name(),
                before.url(),
                before.region(),
                before.replicationUrl());
        if (changed == 0) {
            throw new ConcurrentChangeException("server must not be changed by two at once: server=" + server.name()
                    + "; look at it and decide anew");
        }
    }

    private void insertServer(Server server) throws SQLException {
        try {
            update("""
                    insert into "shardmap_catalog"."server" ("name", "url", "region", "replication_url") values (?, ?, ?, ?)
                    """, server.name(), server.url(), server.region(), server.replicationUrl());
        } catch (SQLException failure) {
            if (Dialect.isDuplicate(failure)) {
                throw concurrent(failure, "server must not be added by two at once: server=" + server.name());
            }
            throw failure;
        }
    }

    /** Creates a map with unassigned virtual shards and returns its number. */
    int createMap(ShardMapDefinition definition, StoredStrategy strategy, List<StoredStrategy.Bounds> bounds)
            throws SQLException {
        String map = definition.name();
        // A refused insert would use up a number, and there are not many.
        if (storedNumber(map).isPresent()) {
            throw taken("map name must be free: map=" + map, null);
        }
        insertMap(definition, strategy);
        insertVirtualShards(map, bounds);
        audit("create map " + map, null, describe(definition, bounds.size()));
        dialect.notifyChange(connection, map, 1);
        return storedNumber(map).orElseThrow();
    }

    private void insertMap(ShardMapDefinition definition, StoredStrategy strategy) throws SQLException {
        StoredFunction function = strategy.function();
        try {
            update(
                    """
                    insert into "shardmap_catalog"."shard_map"
                        ("name", "format_version", "key_type", "strategy",
                         "function_name", "function_parameter", "function_version", "generation")
                    values (?, ?, ?, ?, ?, ?, cast(? as integer), 1)
                    """,
                    definition.name(),
                    JdbcShardMapStore.FORMAT_VERSION,
                    definition.keyType().name(),
                    strategy.name(),
                    function == null ? null : function.name(),
                    function == null ? null : function.parameter(),
                    function == null ? null : function.version());
        } catch (SQLException failure) {
            if (Dialect.isDuplicate(failure)) {
                throw taken("map name must be free: map=" + definition.name(), failure);
            }
            throw failure;
        }
    }

    private OptionalInt storedNumber(String map) throws SQLException {
        try (PreparedStatement query = prepare("""
                        select "number" from "shardmap_catalog"."shard_map" where "name" = ?
                        """, map);
                ResultSet row = query.executeQuery()) {
            return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
        }
    }

    private void insertVirtualShards(String map, List<StoredStrategy.Bounds> bounds) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into "shardmap_catalog"."virtual_shard"
                    ("map", "id", "epoch", "state", "lower_bound", "upper_bound")
                values (?, ?, 0, 'UNASSIGNED', ?, ?)
                """)) {
            int waiting = 0;
            for (StoredStrategy.Bounds one : bounds) {
                insert.setString(1, map);
                insert.setInt(2, one.virtualShard());
                insert.setString(3, one.lower());
                insert.setString(4, one.upper());
                insert.addBatch();
                if (++waiting % BATCH == 0 || waiting == bounds.size()) {
                    insert.executeBatch();
                }
            }
        }
    }

    /** Registers a table and returns the new generation of the map. */
    long addTable(String map, ShardedTable table) throws SQLException {
        long generation = raiseGeneration(map);
        String schema = Objects.requireNonNullElse(table.schema(), "");
        requireNewTable(map, schema, table.name());
        update("""
                insert into "shardmap_catalog"."sharded_table" ("map", "schema_name", "table_name", "shard_column")
                values (?, ?, ?, ?)
                """, map, schema, table.name(), table.shardColumn());
        audit("add table " + map + "/" + table.qualifiedName(), null, "shard column " + table.shardColumn());
        dialect.notifyChange(connection, map, generation);
        return generation;
    }

    /** Registers a reference table and returns the new generation of the map. */
    long addReferenceTable(String map, ReferenceTable table) throws SQLException {
        long generation = raiseGeneration(map);
        String schema = Objects.requireNonNullElse(table.schema(), "");
        requireNewTable(map, schema, table.name());
        update("""
                insert into "shardmap_catalog"."reference_table" ("map", "schema_name", "table_name") values (?, ?, ?)
                """, map, schema, table.name());
        audit("add table " + map + "/" + table.qualifiedName(), null, "reference table");
        dialect.notifyChange(connection, map, generation);
        return generation;
    }

    /** Refuses a table of either kind that the map has; whoever would add it meanwhile waits for the row of the map. */
    private void requireNewTable(String map, String schema, String table) throws SQLException {
        List<String> found =
                Rows.list(connection, row -> row.getString(1), """
                select 'sharded' from "shardmap_catalog"."sharded_table"
                 where "map" = ? and "schema_name" = ? and "table_name" = ?
                union all
                select 'reference' from "shardmap_catalog"."reference_table"
                 where "map" = ? and "schema_name" = ? and "table_name" = ?
                """, map, schema, table, map, schema, table);
        if (!found.isEmpty()) {
            throw taken(
                    "table must be registered once: map=" + map + ", table="
                            + (schema.isEmpty() ? table : schema + "." + table) + ", kind=" + found.get(0),
                    null);
        }
    }

    private long raiseGeneration(String map) throws SQLException {
        long generation = lockMap(map) + 1;
        update("""
                update "shardmap_catalog"."shard_map" set "generation" = ? where "name" = ?
                """, generation, map);
        return generation;
    }

    /** Takes the row of the map until the transaction ends, and returns the map's generation. */
    private long lockMap(String map) throws SQLException {
        try (PreparedStatement query = prepare("""
                        select "generation" from "shardmap_catalog"."shard_map" where "name" = ? for update
                        """, map);
                ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                throw new UnknownShardMapException(map);
            }
            return row.getLong(1);
        }
    }

    private VirtualShard stored(String map, int virtualShard) throws SQLException {
        try (PreparedStatement query = prepare("""
                        select "id", "server", "epoch", "state"
                          from "shardmap_catalog"."virtual_shard"
                         where "map" = ? and "id" = ?
                           for update
                        """, map, virtualShard);
                ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                throw new ShardMapException(
                        ErrorCode.INVALID_DEFINITION,
                        "virtual shard must be one of the map's: map=" + map + ", virtualShard=" + virtualShard);
            }
            return Rows.virtualShard(map, row);
        }
    }

    private @Nullable Server storedServer(String name) throws SQLException {
        try (PreparedStatement query = prepare("""
                        select "name", "url", "region", "replication_url" from "shardmap_catalog"."server" where "name" = ?
                        """, name);
                ResultSet row = query.executeQuery()) {
            return row.next() ? Rows.server(row) : null;
        }
    }

    private int update(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    private PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        return Rows.prepare(connection, sql, parameters);
    }

    private static ShardMapException taken(String rule, @Nullable SQLException cause) {
        return new ShardMapException(ErrorCode.INVALID_DEFINITION, rule + "; it is taken", cause);
    }

    private static ConcurrentChangeException concurrent(SQLException cause, String message) {
        ConcurrentChangeException refusal = new ConcurrentChangeException(message);
        refusal.initCause(cause);
        return refusal;
    }

    private static String describe(VirtualShard shard) {
        return shard.state() + (shard.server() == null ? "" : " on " + shard.server()) + " at epoch " + shard.epoch();
    }

    private static String describe(Server server) {
        return "url " + server.url() + ", region " + server.region()
                + (server.replicationUrl() == null ? "" : ", replication url " + server.replicationUrl());
    }

    private static String describe(ShardMapDefinition definition, int virtualShards) {
        String how = definition.strategy() instanceof Strategy.Lookup lookup
                ? "by " + lookup.function()
                : "in " + virtualShards + " slices";
        return definition.strategy().strategyName() + " " + how + ", keys " + definition.keyType();
    }
}
