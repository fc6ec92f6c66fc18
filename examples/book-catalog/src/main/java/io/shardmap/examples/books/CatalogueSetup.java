package io.shardmap.examples.books;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard.State;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.migrate.schema.SchemaRollout;
import io.shardmap.migrate.schema.ServerOutcome;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What an operator does once: the shard-map database, the servers, the application's tables on each of them, the map and its first
 * placement. Every step can be repeated, and keeps what is there: a virtual shard that has moved stays where it is.
 */
final class CatalogueSetup {
    private static final String SCRIPTS = "classpath:db/books";
    private static final List<String> TABLES = List.of("book", "library_of_congress");
    private static final String SHARD_COLUMN = "check_digit";

    /** Eleven virtual shards, one per check digit, on three servers. */
    static final Map<String, List<Integer>> FIRST_PLACEMENT = Map.of(
            "bookdbshard0", List.of(0, 1, 2, 9),
            "bookdbshard1", List.of(3, 4, 5, 10),
            "bookdbshard2", List.of(6, 7, 8));

    private final DataSource mapDatabase;
    private final CatalogueDatabases databases;
    private final JdbcShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates the set-up.
     *
     * @param pools connections to the servers as the owner of the tables
     */
    CatalogueSetup(DataSource mapDatabase, CatalogueDatabases databases, JdbcShardMapStore store, ServerPools pools) {
        this.mapDatabase = mapDatabase;
        this.databases = databases;
        this.store = store;
        this.pools = pools;
    }

    /** Brings all databases to the state the catalogue needs. */
    void run() {
        ShardMapSchema.migrate(mapDatabase);
        ServerRegistration registration = new ServerRegistration(store, pools);
        databases.servers().forEach(registration::add);
        migrateTables();
        if (!store.mapNames().contains(BookCatalog.MAP)) {
            store.createMap(new ShardMapDefinition(
                    BookCatalog.MAP, KeyType.STRING, new Strategy.Lookup(new KeyFunction.IsbnCheckDigit())));
        }
        ShardMap map = store.load(BookCatalog.MAP);
        TableRegistration tables = new TableRegistration(store, pools);
        CatalogueSql sql = databases.sql();
        TABLES.stream()
                .map(table -> new ShardedTable(null, sql.folded(table), sql.folded(SHARD_COLUMN)))
                .filter(table -> !map.tables().contains(table))
                .forEach(table -> tables.add(map.name(), table, true));
        ShardAssignment assignment = new ShardAssignment(store, pools);
        FIRST_PLACEMENT.forEach((server, virtualShards) -> assignment.assign(
                map.name(),
                virtualShards.stream()
                        .filter(id -> map.virtualShards().get(id).state() != State.ASSIGNED)
                        .toList(),
                server));
    }

    private void migrateTables() {
        for (ServerOutcome outcome : SchemaRollout.of(pools, SCRIPTS).migrate(databases.servers())) {
            if (!outcome.isGood()) {
                throw new ShardMapException(
                        ErrorCode.STEP_FAILED,
                        "tables of the catalogue must be on every server: server=" + outcome.server() + ", error="
                                + outcome.error());
            }
        }
    }
}
