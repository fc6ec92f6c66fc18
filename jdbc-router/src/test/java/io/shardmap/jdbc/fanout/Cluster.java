package io.shardmap.jdbc.fanout;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.InMemoryShardMapStore;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.key.KeyType;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A map "books" of twelve virtual shards dealt out over servers with one table each; and changes of ownership, by hand. */
final class Cluster implements AutoCloseable {
    static final String MAP = "books";
    static final int SHARDS = 12;

    final InMemoryShardMapStore store = new InMemoryShardMapStore();
    final Map<String, String> urls;
    private final String user;
    private final String password;
    private ShardRouter router;

    private Cluster(Map<String, String> urls, String user, String password) {
        this.urls = new TreeMap<>(urls);
        this.user = user;
        this.password = password;
    }

    /** Makes a cluster of PostgreSQL servers; the names are those of the servers, in their order. */
    static Cluster postgres(PostgresServers servers, String table, String ddl, String... names) throws SQLException {
        Map<String, String> urls = new TreeMap<>();
        for (String name : names) {
            urls.put(name, servers.get(name).jdbcUrl());
        }
        PostgresServer first = servers.get(0);
        Cluster cluster = new Cluster(urls, first.user(), first.password());
        cluster.create(table, "drop schema if exists shardmap cascade; drop table if exists " + table + "; " + ddl);
        return cluster;
    }

    /** Makes a cluster of H2 databases in memory. */
    static Cluster h2(String table, String ddl, String... names) throws SQLException {
        Map<String, String> urls = new TreeMap<>();
        for (String name : names) {
            urls.put(name, "jdbc:h2:mem:" + name + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
        Cluster cluster = new Cluster(urls, "sa", "");
        cluster.create(table, ddl);
        return cluster;
    }

    private void create(String table, String ddl) throws SQLException {
        for (Map.Entry<String, String> server : urls.entrySet()) {
            sql(server.getKey(), ddl);
            try (Connection connection = admin(server.getKey())) {
                ServerDialect.of(server.getValue()).install(connection);
            }
            if (isH2()) {
                sql(server.getKey(), "insert into \"shardmap\".\"lock_row\" select 1, -1, x from system_range(0, 15)");
            }
            store.putServer(new Server(server.getKey(), server.getValue(), null));
        }
        store.createMap(
                new ShardMapDefinition(MAP, KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Identity(SHARDS))));
        store.addTable(MAP, new ShardedTable(null, table, isH2() ? "SHARD" : "shard"));
        for (int id = 0; id < SHARDS; id++) {
            own(home(id), id, 1, "OPEN", false);
            place(id, home(id), 1);
        }
    }

    private boolean isH2() {
        return urls.values().iterator().next().startsWith("jdbc:h2:");
    }

    List<String> names() {
        return List.copyOf(urls.keySet());
    }

    /** Returns the first home of a virtual shard. */
    String home(int virtualShard) {
        return names().get(virtualShard % urls.size());
    }

    /** Writes an ownership row as it is. */
    void own(String server, int virtualShard, long epoch, String state, boolean copies) throws SQLException {
        sql(
                server,
                "delete from \"shardmap\".\"ownership\" where \"virtual_shard\" = " + virtualShard
                        + "; insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\", \"state\","
                        + " \"holds_copies\") values (1, " + virtualShard + ", " + epoch + ", '" + state + "', "
                        + copies + ")");
    }

    void place(int virtualShard, String server, long epoch) {
        store.place(
                MAP,
                store.load(MAP).virtualShards().get(virtualShard),
                new VirtualShard(virtualShard, server, epoch, VirtualShard.State.ASSIGNED));
    }

    Connection admin(String server) throws SQLException {
        return DriverManager.getConnection(urls.get(server), user, password);
    }

    void sql(String server, String sql) throws SQLException {
        try (Connection connection = admin(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    ShardRouter router() {
        if (router == null) {
            router = router(4);
        }
        return router;
    }

    ShardRouter router(int poolSize) {
        return ShardRouter.builder(store)
                .credentials(user, password)
                .pool(pool -> {
                    pool.setMaximumPoolSize(poolSize);
                    pool.setConnectionTimeout(500);
                })
                .build();
    }

    FanOut fanOut() {
        return router().fanOut(MAP);
    }

    /** Returns how many connections of the router's pools are in use. */
    int inUse() {
        return inUse(router());
    }

    static int inUse(ShardRouter router) {
        int active = 0;
        for (Server server : router.pools().open()) {
            HikariDataSource pool = router.pools().pool(server);
            active += pool.getHikariPoolMXBean().getActiveConnections();
        }
        return active;
    }

    @Override
    public void close() {
        if (router != null) {
            router.close();
        }
    }
}
