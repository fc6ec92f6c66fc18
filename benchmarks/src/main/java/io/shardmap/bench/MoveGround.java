package io.shardmap.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

/** A shard-map database and two servers; all books, in eleven virtual shards of the same size, are on the first of them. */
final class MoveGround implements AutoCloseable {
    static final String MAP = "books";
    static final String FIRST = "ds_0";
    static final String SECOND = "ds_1";
    /** As many as an ISBN has check digits. */
    static final int VIRTUAL_SHARDS = 11;
    /** The virtual shard that moves. */
    static final int MOVING = 6;

    /** Ledger rows per virtual shard. */
    static final int WRITERS = 8;

    private static final String TABLES = """
            create table book (shard int not null, id int not null, title varchar(80), printed timestamp,
                stock int not null, primary key (shard, id));
            create table ledger (shard int not null, writer int not null, n bigint not null, primary key (shard, writer));
            create table plain_copy (like book including all);
            """;

    private final PostgresServers servers = PostgresServers.start("map", FIRST, SECOND);
    private final Credentials login;
    private final HikariDataSource mapDatabase;
    private final JdbcShardMapStore store;
    private final ServerPools pools;

    MoveGround(int books) throws SQLException {
        PostgresServer map = servers.get("map");
        login = new Credentials(map.user(), map.password());
        ShardMapSchema.migrate(map.dataSource());
        mapDatabase = pool(map);
        store = new JdbcShardMapStore(mapDatabase);
        pools = new ServerPools(null, server -> login, config -> config.setMinimumIdle(0));
        for (String name : List.of(FIRST, SECOND)) {
            new ServerRegistration(store, pools)
                    .add(new Server(name, servers.get(name).jdbcUrl()));
            execute(name, TABLES);
        }
        store.createMap(new ShardMapDefinition(
                MAP, KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Identity(VIRTUAL_SHARDS))));
        TableRegistration tables = new TableRegistration(store, pools);
        for (String table : List.of("book", "ledger")) {
            tables.add(MAP, new ShardedTable(null, table, "shard"), true);
        }
        new ShardAssignment(store, pools)
                .assign(MAP, IntStream.range(0, VIRTUAL_SHARDS).boxed().toList(), FIRST);
        fill(books);
    }

    private static HikariDataSource pool(PostgresServer server) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(WRITERS);
        return new HikariDataSource(config);
    }

    private void fill(int books) throws SQLException {
        // The guard would look at every single row.
        execute(
                FIRST,
                "set session_replication_role = replica; insert into book select n % " + VIRTUAL_SHARDS + ", n / "
                        + VIRTUAL_SHARDS
                        + ", 'The book of number ' || n, timestamp '2026-11-30 12:00' + n * interval '1 minute', 0"
                        + " from generate_series(0, " + (books - 1)
                        + ") n; insert into ledger select s, w, 0 from generate_series(0, "
                        + (VIRTUAL_SHARDS - 1) + ") s, generate_series(0, " + (WRITERS - 1) + ") w");
        execute(FIRST, "vacuum analyze");
    }

    /** Runs SQL on a server by name. */
    void execute(String server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Opens a connection to a server by name, outside all pools. */
    Connection connect(String server) throws SQLException {
        return servers.get(server).openConnection();
    }

    /** Returns what a query of one number and one parameter says on the server that holds a virtual shard. */
    long number(String sql, int shard) throws SQLException {
        String server =
                String.valueOf(store.load(MAP).virtualShards().get(shard).server());
        try (Connection connection = connect(server);
                PreparedStatement query = connection.prepareStatement(sql)) {
            query.setInt(1, shard);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    Moves moves() {
        return Moves.of(store, pools);
    }

    /** Returns a router with pools of its own, as an application has it. */
    ShardRouter router() {
        return ShardRouter.builder(store)
                .credentials(server -> login)
                .pool(config -> config.setMaximumPoolSize(WRITERS + 2))
                .build();
    }

    @Override
    public void close() {
        pools.close();
        mapDatabase.close();
        servers.close();
    }
}
