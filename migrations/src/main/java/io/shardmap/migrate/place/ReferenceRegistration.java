package io.shardmap.migrate.place;

import io.shardmap.ErrorCode;
import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.table.CopyShape;
import io.shardmap.store.ShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings a reference table into a map: what {@code shardmap table add --reference} does. Stateless. It looks at the tables' shape, not at
 * their rows.
 */
public final class ReferenceRegistration {
    private final ShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates the service.
     *
     * @param store the shard-map database; its credentials may write
     * @param pools connections to the servers as a user who may read the catalogue
     */
    public ReferenceRegistration(ShardMapStore store, ServerPools pools) {
        this.store = store;
        this.pools = pools;
    }

    /**
     * Looks for everything that is in the way, on every server. Changes nothing.
     *
     * @return one message per problem; empty when the table can be added
     * @throws io.shardmap.UnknownShardMapException when there is no such map
     */
    public List<String> check(String map, ReferenceTable table) {
        List<String> problems = new ArrayList<>();
        for (ShardedTable sharded : store.load(map).tables()) {
            if (sharded.qualifiedName().equals(table.qualifiedName())) {
                problems.add("table must be sharded or a reference table, not both: map=" + map + ", table="
                        + table.qualifiedName() + ", split by=" + sharded.shardColumn());
            }
        }
        List<Server> servers = store.servers();
        if (servers.isEmpty()) {
            problems.add("shard-map database must have a server: add one first");
        }
        Map<String, CopyShape> shapes = new LinkedHashMap<>();
        for (Server server : servers) {
            shape(server, table, problems).ifPresent(shape -> shapes.put(server.name(), shape));
        }
        compare(table, shapes, problems);
        return problems;
    }

    private Optional<CopyShape> shape(Server server, ReferenceTable table, List<String> problems) {
        String where = "server=" + server.name() + ", table=" + table.qualifiedName();
        try (Connection connection = pools.open(server)) {
            Optional<CopyShape> shape = CopyShape.of(connection, table);
            if (shape.isEmpty()) {
                problems.add("table must exist: " + where + "; run `shardmap schema migrate`");
            } else if (shape.get().primaryKey().isEmpty()) {
                problems.add("reference table must have a primary key: " + where);
            }
            return shape;
        } catch (SQLException | ShardMapException failure) {
            problems.add("server must answer: " + where + ", error=" + failure.getMessage());
            return Optional.empty();
        }
    }

    private static void compare(ReferenceTable table, Map<String, CopyShape> shapes, List<String> problems) {
        Map.Entry<String, CopyShape> first = null;
        for (Map.Entry<String, CopyShape> copy : shapes.entrySet()) {
            if (first == null) {
                first = copy;
            } else if (!first.getValue().equals(copy.getValue())) {
                problems.add("reference table must have the same columns and primary key on every server: table="
                        + table.qualifiedName() + ", " + describe(first) + ", " + describe(copy));
            }
        }
    }

    private static String describe(Map.Entry<String, CopyShape> copy) {
        return copy.getKey() + "=" + copy.getValue().columns() + " key "
                + copy.getValue().primaryKey();
    }

    /**
     * Does what {@link #check} does, and refuses a table with problems. Changes nothing.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} that lists every problem
     */
    public void require(String map, ReferenceTable table) {
        Problems.requireNone(check(map, table));
    }

    /**
     * Checks the table on every server and registers it. Repeating the call for a registered table checks it again and changes nothing.
     *
     * @return the generation of the map that has the table
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} that lists every problem; nothing was changed then
     */
    public long add(String map, ReferenceTable table) {
        require(map, table);
        ShardMap loaded = store.load(map);
        return loaded.referenceTables().contains(table) ? loaded.generation() : store.addReferenceTable(map, table);
    }
}
