package io.shardmap.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.routed.RoutingMode;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/**
 * Servers with books, the map that splits them, and each way to reach them: a router, bare pools, the peer. All ways use pools of the
 * same settings, and each has pools of its own.
 *
 * @param urls JDBC URL of each server; the book of number {@code id} is on server {@code id % urls.size()}
 * @param user user on all servers, or null
 * @param password password of the user, or null
 * @param tables the tables that are split by their column {@code shard}
 */
record Cluster(
        List<String> urls, @Nullable String user, @Nullable String password, List<String> tables) {
    static final String MAP = "books";
    static final int VIRTUAL_SHARDS = 12;

    private static final List<String> BOOKS = List.of("book");
    private static final int POOL_SIZE = 4;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** Servers with books alone. */
    Cluster(List<String> urls, @Nullable String user, @Nullable String password) {
        this(urls, user, password, BOOKS);
    }

    /** Returns servers in this process's memory, with their books. */
    static Cluster h2(int servers) throws SQLException {
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            urls.add(memory("server"));
        }
        Cluster cluster = new Cluster(urls, null, null);
        cluster.fill();
        return cluster;
    }

    /** Returns running servers, as they are. */
    static Cluster postgres(PostgresServers servers) {
        return postgres(servers, PostgresServer::jdbcUrl);
    }

    /** Returns running servers under other URLs. */
    static Cluster postgres(PostgresServers servers, Function<PostgresServer, String> url) {
        PostgresServer any = servers.get(0);
        return new Cluster(servers.all().stream().map(url).toList(), any.user(), any.password());
    }

    private static String memory(String name) {
        return "jdbc:h2:mem:bench-" + name + "-" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    }

    /** Makes the books on each server, and the ownership of the virtual shards that it holds. */
    void fill() throws SQLException {
        fill(Books::fill);
    }

    /** Makes the tables of one of several servers. */
    @FunctionalInterface
    interface Filling {
        void fill(Connection connection, int server, int servers) throws SQLException;
    }

    /** Makes tables on each server, and the ownership of the virtual shards that it holds. */
    void fill(Filling tablesOf) throws SQLException {
        for (int server = 0; server < urls.size(); server++) {
            try (Connection connection = connect(server)) {
                tablesOf.fill(connection, server, urls.size());
                ServerDialect.of(urls.get(server)).install(connection);
                own(connection, server);
            }
        }
    }

    Connection connect(int server) throws SQLException {
        Properties login = new Properties();
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        return DriverManager.getConnection(urls.get(server), login);
    }

    private void own(Connection connection, int server) throws SQLException {
        boolean lockRows = urls.get(server).startsWith("jdbc:h2:");
        try (Statement statement = connection.createStatement()) {
            for (int shard = server; shard < VIRTUAL_SHARDS; shard += urls.size()) {
                statement.execute(
                        "insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\","
                                + " \"state\") values (1, " + shard + ", 1, 'OPEN')");
                if (lockRows) {
                    lockRows(statement, shard);
                }
            }
            if (lockRows) {
                lockRows(statement, -1);
            }
        }
    }

    /** H2 locks rows where PostgreSQL has advisory locks; -1 is the whole map. */
    private static void lockRows(Statement statement, int shard) throws SQLException {
        statement.execute("insert into \"shardmap\".\"lock_row\" select 1, " + shard + ", x from system_range(0, 15)");
    }

    /** Returns a new shard-map database that says where the books are. */
    JdbcShardMapStore store() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(memory("map"));
        return store(database);
    }

    /** Makes an empty database a shard-map database that says where the books are. */
    JdbcShardMapStore store(DataSource database) {
        ShardMapSchema.migrate(database);
        JdbcShardMapStore store = new JdbcShardMapStore(database);
        for (int server = 0; server < urls.size(); server++) {
            store.putServer(new Server(serverName(server), urls.get(server)));
        }
        store.createMap(new ShardMapDefinition(
                MAP, KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Modulo(VIRTUAL_SHARDS))));
        for (int shard = 0; shard < VIRTUAL_SHARDS; shard++) {
            store.place(
                    MAP,
                    VirtualShard.unassigned(shard),
                    new VirtualShard(shard, serverName(shard % urls.size()), 1, VirtualShard.State.ASSIGNED));
        }
        for (String table : tables) {
            store.addTable(MAP, new ShardedTable(null, table, "shard"));
        }
        return store;
    }

    private static String serverName(int server) {
        return "ds_" + server;
    }

    /** Returns a router with pools of its own. */
    ShardRouter router(RoutingMode mode) {
        return ShardRouter.builder(store())
                .credentials(user, password)
                .pool(Cluster::settings)
                .mode(mode)
                .build();
    }

    /** Returns one new pool per server, in their order. */
    Pools pools() {
        List<HikariDataSource> pools = new ArrayList<>();
        for (String url : urls) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setUsername(user);
            config.setPassword(password);
            settings(config);
            pools.add(new HikariDataSource(config));
        }
        return new Pools(List.copyOf(pools));
    }

    /** The settings of every pool, whoever uses it. */
    static void settings(HikariConfig config) {
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(3_000);
    }

    /** Bare pools, and the least that routing by hand takes. */
    record Pools(List<HikariDataSource> all) implements AutoCloseable {
        Connection open(int id) throws SQLException {
            return all.get(id % all.size()).getConnection();
        }

        /** Returns the pools by the names of their servers. */
        Map<String, DataSource> byName() {
            Map<String, DataSource> named = new HashMap<>();
            for (int server = 0; server < all.size(); server++) {
                named.put(serverName(server), all.get(server));
            }
            return named;
        }

        @Override
        public void close() {
            all.forEach(HikariDataSource::close);
        }
    }
}
