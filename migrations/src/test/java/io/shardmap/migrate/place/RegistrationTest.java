package io.shardmap.migrate.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class RegistrationTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "a", "b");

    private ServerPools pools;
    private JdbcShardMapStore store;
    private Server a;
    private Server b;

    @BeforeEach
    void open() throws SQLException {
        String user = servers.get(0).user();
        String password = servers.get(0).password();
        pools = new ServerPools(
                null, server -> new Credentials(user, password), config -> config.setConnectionTimeout(1_000));
        String fresh = "t" + System.nanoTime();
        PGSimpleDataSource map = new PGSimpleDataSource();
        map.setURL(servers.get("map").createDatabase(fresh));
        map.setUser(user);
        map.setPassword(password);
        ShardMapSchema.migrate(map);
        store = new JdbcShardMapStore(map, "test");
        store.createMap(
                new ShardMapDefinition("items", KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(10))));
        a = new Server("a", servers.get("a").createDatabase(fresh + "a"));
        b = new Server("b", servers.get("b").createDatabase(fresh + "b"));
    }

    @AfterEach
    void close() {
        pools.close();
    }

    private void on(Server server, String sql) throws SQLException {
        try (Connection connection = pools.open(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void addServers() {
        ServerRegistration registration = new ServerRegistration(store, pools);
        registration.add(a);
        registration.add(b);
    }

    @Test
    void aServerIsInstalledThenAddedAndRepeatingChangesNothing() {
        ServerRegistration registration = new ServerRegistration(store, pools);

        assertEquals(0, registration.add(a).installed());
        assertEquals(ServerDialect.VERSION, registration.add(a).installed());

        assertEquals(List.of(a), store.servers());
        assertEquals("PostgreSQL", registration.check(a).product());
    }

    @Test
    void aServerThatIsNewerUnsupportedOrDeadIsRefusedAndNotAdded() throws SQLException {
        ServerRegistration registration = new ServerRegistration(store, pools);
        registration.check(a);
        pools.dialect(a).install(pools.open(a));
        on(a, "insert into shardmap.installation (version) values (99)");

        ShardMapException newer = assertThrows(ShardMapException.class, () -> registration.add(a));
        ShardMapException dead = assertThrows(
                ShardMapException.class, () -> registration.add(new Server("c", "jdbc:postgresql://127.0.0.1:1/x")));
        ShardMapException other =
                assertThrows(ShardMapException.class, () -> registration.add(new Server("d", "jdbc:oracle:thin:x")));

        assertEquals(ErrorCode.NOT_SUPPORTED, newer.code());
        assertTrue(newer.getMessage().contains("installed=99"), newer.getMessage());
        assertEquals(ErrorCode.SERVER_UNAVAILABLE, dead.code());
        assertEquals(ErrorCode.NOT_SUPPORTED, other.code());
        assertEquals(List.of(), store.servers());
    }

    @Test
    void aTableMustBeRightOnEveryServer() throws SQLException {
        addServers();
        ShardedTable table = new ShardedTable(null, "book", "vs");
        on(a, "create table book (vs text not null)");
        TableRegistration registration = new TableRegistration(store, pools);

        ShardMapException refusal = assertThrows(ShardMapException.class, () -> registration.add("items", table, true));

        assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        assertEquals(2, registration.check("items", table).size());
        assertTrue(refusal.getMessage().contains("server=a, table=book, column=vs, type=text"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("table must exist: server=b"), refusal.getMessage());

        on(a, "drop table book; create table book (vs int not null)");
        on(b, "create table book (vs int)");
        assertTrue(registration.check("items", table).get(0).contains("NOT NULL: server=b"));
        on(b, "alter table book alter vs set not null");
        registration.add("items", table, true);
        assertEquals(List.of(table), store.load("items").tables());
        assertThrows(SQLException.class, () -> on(a, "insert into book values (1)"), "the guard refuses");
        on(b, "drop trigger shardmap_guard on book");
        long generation = store.load("items").generation();
        assertEquals(generation, registration.add("items", table, true), "a repeat registers nothing");
        assertThrows(SQLException.class, () -> on(b, "insert into book values (1)"), "but brings missing guards");
        assertEquals(
                1,
                registration.check("items", new ShardedTable(null, "book", "other")).stream()
                        .filter(problem -> problem.contains("keep its shard column"))
                        .count());
    }
}
