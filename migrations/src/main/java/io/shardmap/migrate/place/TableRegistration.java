package io.shardmap.migrate.place;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableShape;
import io.shardmap.store.ShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Brings a sharded table into a map: what {@code shardmap table add} does. Stateless. */
public final class TableRegistration {
    private final ShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates the service.
     *
     * @param store the shard-map database; its credentials may write
     * @param pools connections to the servers as a user who may create triggers on the table
     */
    public TableRegistration(ShardMapStore store, ServerPools pools) {
        this.store = store;
        this.pools = pools;
    }

    /**
     * Looks for everything that is in the way, on every server. Changes nothing.
     *
     * @return one message per problem, each with the server's name; empty when the table can be added
     */
    public List<String> check(String map, ShardedTable table) {
        List<String> problems = new ArrayList<>();
        ShardMap loaded = store.load(map);
        for (ShardedTable known : loaded.tables()) {
            if (sameTable(known, table) && !known.equals(table)) {
                problems.add("table must keep its shard column: map=" + map + ", table=" + table.qualifiedName()
                        + ", registered=" + known.shardColumn() + ", asked=" + table.shardColumn());
            }
        }
        if (loaded.referenceTables().stream()
                .anyMatch(known -> known.qualifiedName().equals(table.qualifiedName()))) {
            problems.add("table must be sharded or a reference table, not both: map=" + map + ", table="
                    + table.qualifiedName() + ", registered as=reference");
        }
        List<Server> servers = store.servers();
        if (servers.isEmpty()) {
            problems.add("shard-map database must have a server: add one first");
        }
        for (Server server : servers) {
            check(server, table, problems);
        }
        return problems;
    }

    private static boolean sameTable(ShardedTable one, ShardedTable other) {
        return one.qualifiedName().equals(other.qualifiedName());
    }

    private void check(Server server, ShardedTable table, List<String> problems) {
        String where = "server=" + server.name() + ", table=" + table.qualifiedName();
        try (Connection connection = pools.open(server)) {
            Optional<TableShape> shape = TableInspector.of(connection).inspect(connection, table);
            if (shape.isEmpty()) {
                problems.add("table must exist: " + where + "; run `shardmap schema migrate`");
                return;
            }
            Optional<TableShape.Column> column = shape.get().column(table.shardColumn());
            if (column.isEmpty()) {
                problems.add("shard column must exist: " + where + ", column=" + table.shardColumn());
            } else if (!column.get().isInteger()) {
                problems.add("shard column must be smallint, integer or bigint: " + where + ", column="
                        + table.shardColumn() + ", type=" + column.get().type());
            } else if (column.get().nullable()) {
                problems.add("shard column must be NOT NULL: " + where + ", column=" + table.shardColumn());
            } else if (pools.dialect(server).installedVersion(connection) == 0) {
                problems.add("server must have Shardmap's objects: " + where + "; run `shardmap server add`");
            }
        } catch (SQLException | ShardMapException failure) {
            problems.add("server must answer: " + where + ", error=" + failure.getMessage());
        }
    }

    /**
     * Does what {@link #check} does, and refuses a table with problems. Changes nothing.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} that lists every problem
     */
    public void require(String map, ShardedTable table) {
        Problems.requireNone(check(map, table));
    }

    /**
     * Checks the table on every server, installs its guard, and registers it. A guard that was installed before a failure stays; it does
     * no harm, and repeating the call goes on. For a table that is registered already it installs the guards that are missing, such as
     * on servers that were added later.
     *
     * @param guard whether to install the trigger that refuses misplaced writes; PostgreSQL servers only, others go without
     * @return the generation of the map that has the table
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} that lists every problem; nothing was changed then
     */
    public long add(String map, ShardedTable table, boolean guard) {
        require(map, table);
        ShardMap loaded = store.load(map);
        if (guard) {
            for (Server server : store.servers()) {
                installGuard(server, loaded.number(), table);
            }
        }
        return loaded.tables().contains(table) ? loaded.generation() : store.addTable(map, table);
    }

    private void installGuard(Server server, int mapNumber, ShardedTable table) {
        if (!pools.url(server).startsWith("jdbc:postgresql:")) {
            return;
        }
        try (Connection connection = pools.open(server)) {
            pools.dialect(server).installGuard(connection, mapNumber, table);
        } catch (SQLException failure) {
            throw new ShardMapException(
                    ErrorCode.SERVER_UNAVAILABLE,
                    "server must accept the guard trigger: server=" + server.name() + ", table="
                            + table.qualifiedName() + ", error=" + failure.getMessage()
                            + "; the table is not registered, repeat the call",
                    failure);
        }
    }
}
