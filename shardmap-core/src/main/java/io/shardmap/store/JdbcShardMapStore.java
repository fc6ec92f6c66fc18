package io.shardmap.store;

import io.shardmap.ErrorCode;
import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.StoreUnavailableException;
import io.shardmap.UnknownShardMapException;
import io.shardmap.UnsupportedShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.key.KeyType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The shard-map database in PostgreSQL or H2. Holds no state of its own and does nothing before it is asked: it can be made while the
 * database is down. How long a dead database is waited for is a setting of the data source.
 *
 * <p>A change whose connection breaks while it commits fails with {@link StoreUnavailableException} and may have happened.
 */
public final class JdbcShardMapStore implements ShardMapStore {
    /** How the rows of a map are to be read; a map with a higher number is refused. */
    static final int FORMAT_VERSION = 1;

    private final DataSource dataSource;
    private final String who;

    /** Creates a store whose changes are audited under the name of the operating-system user. */
    public JdbcShardMapStore(DataSource dataSource) {
        this(dataSource, System.getProperty("user.name", "unknown"));
    }

    /**
     * Creates a store.
     *
     * @param dataSource connections to the shard-map database; their state is given back as it was found
     * @param who who makes the changes, for the audit log; the database user is added. 1 to 200 characters
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when {@code who} is blank or too long
     */
    public JdbcShardMapStore(DataSource dataSource, String who) {
        if (who.isBlank() || who.length() > 200) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "name for the audit log must have 1 to 200 characters: who=" + who);
        }
        this.dataSource = dataSource;
        this.who = who;
    }

    @Override
    public List<String> mapNames() {
        return List.copyOf(generations().keySet());
    }

    @Override
    public Map<String, Long> generations() {
        return readOne("read generations", connection -> {
            Map<String, Long> generations = new TreeMap<>();
            Rows.list(connection, row -> generations.put(row.getString("name"), row.getLong("generation")), """
                    select "name", "generation" from "shardmap_catalog"."shard_map"
                    """);
            return generations;
        });
    }

    @Override
    public ShardMap load(String map) {
        return read("load map " + map, connection -> {
            List<Header> headers = Rows.list(connection, Header::read, """
                    select "number", "format_version", "key_type", "strategy",
                           "function_name", "function_parameter", "function_version", "generation"
                      from "shardmap_catalog"."shard_map"
                     where "name" = ?
                    """, map);
            if (headers.isEmpty()) {
                throw new UnknownShardMapException(map);
            }
            Header header = headers.get(0);
            StoredStrategy stored = header.strategy(map);
            KeyType keyType = header.keyType(map);
            List<VirtualShard> virtualShards = new ArrayList<>();
            List<StoredStrategy.Bounds> bounds = Rows.list(
                    connection,
                    row -> {
                        virtualShards.add(Rows.virtualShard(map, row));
                        return Rows.bounds(row);
                    },
                    """
                    select "id", "server", "epoch", "state", "lower_bound", "upper_bound"
                      from "shardmap_catalog"."virtual_shard"
                     where "map" = ?
                     order by "id"
                    """,
                    map);
            List<ShardedTable> tables = Rows.list(connection, Rows::table, """
                    select "schema_name", "table_name", "shard_column"
                      from "shardmap_catalog"."sharded_table"
                     where "map" = ?
                     order by "schema_name", "table_name"
                    """, map);
            List<ReferenceTable> referenceTables = Rows.list(connection, Rows::referenceTable, """
                    select "schema_name", "table_name"
                      from "shardmap_catalog"."reference_table"
                     where "map" = ?
                     order by "schema_name", "table_name"
                    """, map);
            return new ShardMap(
                    map,
                    header.number,
                    keyType,
                    stored.toStrategy(map, keyType, bounds),
                    header.generation,
                    virtualShards,
                    servers(connection),
                    tables,
                    referenceTables);
        });
    }

    @Override
    public List<Server> servers() {
        return readOne("read servers", JdbcShardMapStore::servers);
    }

    private static List<Server> servers(Connection connection) throws SQLException {
        return Rows.list(connection, Rows::server, """
                select "name", "url", "region", "replication_url" from "shardmap_catalog"."server" order by "name"
                """);
    }

    @Override
    public void putServer(Server server) {
        change("put server " + server.name(), transaction -> {
            transaction.putServer(server);
            return server;
        });
    }

    @Override
    public ShardMap createMap(ShardMapDefinition definition) {
        StoredStrategy stored = StoredStrategy.of(definition.name(), definition.strategy());
        List<StoredStrategy.Bounds> bounds = StoredStrategy.bounds(definition.strategy());
        return change("create map " + definition.name(), transaction -> {
            int number = transaction.createMap(definition, stored, bounds);
            return new ShardMap(
                    definition.name(),
                    number,
                    definition.keyType(),
                    definition.strategy(),
                    1,
                    IntStream.range(0, bounds.size())
                            .mapToObj(VirtualShard::unassigned)
                            .toList(),
                    servers(transaction.connection()),
                    List.of());
        });
    }

    @Override
    public long place(String map, VirtualShard expected, VirtualShard next) {
        return change("place " + map + "/" + next.id(), transaction -> transaction.place(map, expected, next));
    }

    @Override
    public long addTable(String map, ShardedTable table) {
        return change("add table " + table.qualifiedName(), transaction -> transaction.addTable(map, table));
    }

    @Override
    public long addReferenceTable(String map, ReferenceTable table) {
        return change(
                "add reference table " + table.qualifiedName(),
                transaction -> transaction.addReferenceTable(map, table));
    }

    @Override
    public List<AuditEntry> audit(int limit) {
        return readOne("read the audit log", connection -> Rows.list(connection, Rows::auditEntry, """
                        select "at", "who", "what", "before", "after"
                          from "shardmap_catalog"."audit_log"
                         order by "id" desc
                         fetch first ? rows only
                        """, limit));
    }

    /**
     * Runs changes in one transaction: committed when the body returns, rolled back when it throws anything.
     *
     * @return what the body returned
     * @throws StoreUnavailableException when the body or the commit failed with an {@link SQLException}; a failed commit may have happened
     */
    public <T extends @Nullable Object> T change(ShardMapTransaction.Body<T> body) {
        return change("change", body::run);
    }

    @FunctionalInterface
    private interface Change<T extends @Nullable Object> {
        T run(JdbcShardMapTransaction transaction) throws SQLException;
    }

    private <T extends @Nullable Object> T change(String action, Change<T> change) {
        try (StoreConnection connection = StoreConnection.change(dataSource)) {
            T result = change.run(new JdbcShardMapTransaction(connection, who));
            connection.commit();
            return result;
        } catch (SQLException failure) {
            throw unavailable(action, failure);
        }
    }

    @FunctionalInterface
    private interface Query<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Runs one statement, which is a snapshot by itself: one round trip where connections commit by themselves. */
    private <T> T readOne(String action, Query<T> query) {
        try (Connection connection = dataSource.getConnection()) {
            try {
                return query.run(connection);
            } finally {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
            }
        } catch (SQLException failure) {
            throw unavailable(action, failure);
        }
    }

    private <T> T read(String action, Query<T> query) {
        try (StoreConnection connection = StoreConnection.snapshot(dataSource)) {
            return query.run(connection.jdbc());
        } catch (SQLException failure) {
            throw unavailable(action, failure);
        }
    }

    private static StoreUnavailableException unavailable(String action, SQLException failure) {
        return Dialect.isMissingTable(failure)
                ? StoreUnavailableException.notInitialized(action, failure)
                : new StoreUnavailableException(action, failure);
    }

    /** The row of a map: read whole, and judged before any other row of the map is looked at. */
    private record Header(int number, int formatVersion, String keyTypeName, StoredStrategy strategy, long generation) {

        static Header read(ResultSet row) throws SQLException {
            String function = row.getString("function_name");
            return new Header(
                    row.getInt("number"),
                    row.getInt("format_version"),
                    row.getString("key_type"),
                    new StoredStrategy(
                            row.getString("strategy"),
                            function == null
                                    ? null
                                    : new StoredFunction(
                                            function,
                                            row.getString("function_parameter"),
                                            row.getInt("function_version"))),
                    row.getLong("generation"));
        }

        StoredStrategy strategy(String map) {
            if (formatVersion > FORMAT_VERSION) {
                throw new UnsupportedShardMapException(map, "format version " + formatVersion);
            }
            return strategy.requireKnown(map);
        }

        KeyType keyType(String map) {
            for (KeyType known : KeyType.values()) {
                if (known.name().equals(keyTypeName)) {
                    return known;
                }
            }
            throw new UnsupportedShardMapException(map, "key type " + keyTypeName);
        }
    }
}
