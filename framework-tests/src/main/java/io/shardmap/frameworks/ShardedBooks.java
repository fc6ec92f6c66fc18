package io.shardmap.frameworks;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.move.MoveOptions;
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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A map "books" of ten virtual shards, the even ones on the server "left" and the odd ones on "right", with a guarded table {@code book(id,
 * check_digit, title)} whose shard column is the key itself; in databases of its own on servers named "map", "left" and "right".
 */
public final class ShardedBooks implements AutoCloseable {
    /** Name of the map. */
    public static final String MAP = "books";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final PostgresServers servers;
    private final PGSimpleDataSource mapDatabase = new PGSimpleDataSource();
    private final JdbcShardMapStore store;
    private final ServerPools admin;

    /** Creates databases, map and tables. */
    public ShardedBooks(PostgresServers servers) throws SQLException {
        this.servers = servers;
        String database = "books" + NUMBER.incrementAndGet() + "_"
                + ProcessHandle.current().pid();
        mapDatabase.setURL(servers.get("map").createDatabase(database + "_map"));
        mapDatabase.setUser(user());
        mapDatabase.setPassword(password());
        ShardMapSchema.migrate(mapDatabase);
        store = new JdbcShardMapStore(mapDatabase, "test");
        admin = new ServerPools(null, server -> new Credentials(user(), password()), config -> {});
        store.createMap(
                new ShardMapDefinition(MAP, KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Identity(10))));
        for (String name : List.of("left", "right")) {
            Server server = new Server(name, servers.get(name).createDatabase(database + "_" + name));
            new ServerRegistration(store, admin).add(server);
            sql(name, "create table book (id int primary key, check_digit int not null, title text)");
        }
        new TableRegistration(store, admin).add(MAP, ShardedTable.parse("book", "check_digit"), true);
        new ShardAssignment(store, admin).assign(MAP, List.of(0, 2, 4, 6, 8), "left");
        new ShardAssignment(store, admin).assign(MAP, List.of(1, 3, 5, 7, 9), "right");
    }

    /** Returns the shard-map database. */
    public JdbcShardMapStore store() {
        return store;
    }

    /** Returns pools of the servers that nothing is proven on. */
    public ServerPools admin() {
        return admin;
    }

    /** Returns the JDBC URL of the shard-map database. */
    public String mapUrl() {
        return String.valueOf(mapDatabase.getURL());
    }

    /** Returns the user of all databases. */
    public String user() {
        return servers.get("map").user();
    }

    /** Returns the password of all databases, or null. */
    public @Nullable String password() {
        return servers.get("map").password();
    }

    /** Returns the server behind a name. */
    public PostgresServer server(String name) {
        return servers.get(name);
    }

    /** Begins a router with the right credentials. */
    public ShardRouter.Builder router() {
        return ShardRouter.builder(store).credentials(user(), password());
    }

    /** Runs a statement on one server, as an administrator would. */
    public void sql(String server, String sql) throws SQLException {
        try (Connection connection = open(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Counts the books on one server. */
    public long count(String server) throws SQLException {
        try (Connection connection = open(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from book")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Moves a virtual shard with its rows to the right server, behind every cache. */
    public void moveToRight(int virtualShard) {
        Moves moves = Moves.of(store, admin);
        moves.run(moves.start(MAP, virtualShard, "right", MoveOptions.DEFAULT.withGrace(Duration.ofSeconds(1))));
    }

    private Connection open(String server) throws SQLException {
        Server named = store.servers().stream()
                .filter(known -> known.name().equals(server))
                .findFirst()
                .orElseThrow();
        return admin.open(named);
    }

    @Override
    public void close() {
        admin.close();
    }
}
