package io.shardmap.examples.books;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * What an operator does once: the shard-map database, the servers, the application's tables on each of them, the map and its first
 * placement. Every step can be repeated, and keeps what is there: a virtual shard that has moved stays where it is.
 */
final class CatalogueSetup {
    private static final String SCRIPTS = "classpath:db/books";
    private static final List<ShardedTable> TABLES = List.of(
            ShardedTable.parse("book", "check_digit"), ShardedTable.parse("library_of_congress", "check_digit"));

    /** Eleven virtual shards, one per check digit, on three servers. */
    static final Map<String, List<Integer>> FIRST_PLACEMENT = Map.of(
            "bookdbshard0", List.of(0, 1, 2, 9),
            "bookdbshard1", List.of(3, 4, 5, 10),
            "bookdbshard2", List.of(6, 7, 8));

    private final DataSource mapDatabase;
    private final CatalogueDatabases databases;

    CatalogueSetup(DataSource mapDatabase, CatalogueDatabases databases) {
        this.mapDatabase = mapDatabase;
        this.databases = databases;
    }

    /** Brings all databases to the state the catalogue needs. */
    void run() throws SQLException {
        ShardMapSchema.migrate(mapDatabase);
        JdbcShardMapStore store = new JdbcShardMapStore(mapDatabase);
        for (Server server : databases.servers()) {
            try (Connection connection = open(server)) {
                ServerDialect.of(String.valueOf(server.url())).install(connection);
            }
            Flyway.configure()
                    .dataSource(server.url(), databases.user(), null)
                    .locations(SCRIPTS)
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    .load()
                    .migrate();
            store.putServer(server);
        }
        if (!store.mapNames().contains(BookCatalog.MAP)) {
            store.createMap(new ShardMapDefinition(
                    BookCatalog.MAP, KeyType.STRING, new Strategy.Lookup(new KeyFunction.IsbnCheckDigit())));
            TABLES.forEach(table -> store.addTable(BookCatalog.MAP, table));
        }
        ShardMap map = store.load(BookCatalog.MAP);
        for (Server server : databases.servers()) {
            for (int id : FIRST_PLACEMENT.getOrDefault(server.name(), List.of())) {
                if (map.virtualShards().get(id).server() == null) {
                    assign(store, map, server, id);
                }
            }
        }
    }

    private void assign(JdbcShardMapStore store, ShardMap map, Server server, int id) throws SQLException {
        try (Connection connection = open(server);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\", \"state\") values (%d, %d, 1, 'OPEN')"
                            .formatted(map.number(), id));
            if (databases.sql() == CatalogueSql.H2) {
                statement.execute("insert into \"shardmap\".\"lock_row\" select %d, %d, \"X\" from system_range(0, 15)"
                        .formatted(map.number(), id));
            }
        }
        store.place(
                BookCatalog.MAP,
                map.virtualShards().get(id),
                new VirtualShard(id, server.name(), 1, VirtualShard.State.ASSIGNED));
    }

    private Connection open(Server server) throws SQLException {
        Properties login = new Properties();
        if (databases.user() != null) {
            login.setProperty("user", databases.user());
        }
        return DriverManager.getConnection(server.url(), login);
    }
}
