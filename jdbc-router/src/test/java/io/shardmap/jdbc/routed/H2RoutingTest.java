package io.shardmap.jdbc.routed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.InMemoryShardMapStore;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.key.KeyType;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same promises on H2, where a transaction locks a row instead of taking a shared lock. */
class H2RoutingTest {
    private static final String[] SERVERS = {"left", "right"};

    private final InMemoryShardMapStore store = new InMemoryShardMapStore();
    private final List<Connection> keepOpen = new ArrayList<>();
    private ShardRouter router;

    @BeforeEach
    void open() throws SQLException {
        for (String name : SERVERS) {
            Connection connection = DriverManager.getConnection(url(name));
            keepOpen.add(connection);
            ServerDialect.of(url(name)).install(connection);
            ServerDialect.of(url(name)).install(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "create table book (id int primary key, check_digit int not null, title varchar(50))");
                statement.execute("insert into \"shardmap\".\"lock_row\" select 1, 6, x from system_range(0, 15)");
            }
            store.putServer(new Server(name, url(name)));
        }
        store.createMap(
                new ShardMapDefinition("books", KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Identity(11))));
        own("left", 1, "OPEN");
        place("left", 1);
        router = ShardRouter.builder(store)
                .routing(RoutingConfig.DEFAULT.withFenceWait(Duration.ofSeconds(20)))
                .build();
    }

    @AfterEach
    void close() throws SQLException {
        router.close();
        for (Connection connection : keepOpen) {
            connection.close();
        }
    }

    private static String url(String name) {
        return "jdbc:h2:mem:routing-" + name + ";LOCK_TIMEOUT=10000";
    }

    private void own(String server, long epoch, String state) throws SQLException {
        sql(
                server,
                "merge into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\", \"state\")"
                        + " key (\"map_number\", \"virtual_shard\") values (1, 6, " + epoch + ", '" + state + "')");
    }

    private void place(String server, long epoch) {
        store.place(
                "books",
                store.load("books").virtualShards().get(6),
                new VirtualShard(6, server, epoch, VirtualShard.State.ASSIGNED));
    }

    private static void sql(String server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(server));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long books(String server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(server));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from book")) {
            row.next();
            return row.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesAndReadsGoToTheOwnerAndFollowIt(boolean autoCommit) throws SQLException {
        try (Connection connection = router.openConnection("books", 6)) {
            connection.setAutoCommit(autoCommit);
            insert(connection, 1, autoCommit);
            own("left", 2, "CLOSED");
            own("right", 2, "OPEN");
            place("right", 2);
            insert(connection, 2, autoCommit);
            try (PreparedStatement select = connection.prepareStatement("select id from book where check_digit = ?")) {
                select.setInt(1, 6);
                try (ResultSet rows = select.executeQuery()) {
                    assertTrue(rows.next());
                    assertEquals(2, rows.getInt(1));
                    assertFalse(rows.next());
                }
            }
            if (!autoCommit) {
                connection.rollback();
            }
        }
        assertEquals(1, books("left"));
        assertEquals(1, books("right"));
    }

    private static void insert(Connection connection, int id, boolean autoCommit) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into book values (?, 6, 'x')")) {
            insert.setInt(1, id);
            assertEquals(1, insert.executeUpdate());
        }
        if (!autoCommit) {
            connection.commit();
        }
    }

    @Test
    void aMoverWaitsForTransactionsAndTheyForTheMover() throws Exception {
        ExecutorService two = Executors.newFixedThreadPool(2);
        try (Connection connection = router.openConnection("books", 6);
                Connection mover = DriverManager.getConnection(url("left"))) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into book values (1, 6, 'x')");
            }
            mover.setAutoCommit(false);
            Future<Boolean> locked = two.submit(() -> {
                try (Statement statement = mover.createStatement()) {
                    return statement.execute(
                            "select * from \"shardmap\".\"lock_row\" where \"virtual_shard\" = 6 for update");
                }
            });
            connection.commit();
            assertTrue(locked.get(20, TimeUnit.SECONDS));
            try (Statement statement = mover.createStatement()) {
                statement.execute("update \"shardmap\".\"ownership\" set \"state\" = 'CLOSED', \"epoch\" = 2");
            }
            Future<Integer> writer = two.submit(() -> {
                try (Statement statement = connection.createStatement()) {
                    int count = statement.executeUpdate("insert into book values (2, 6, 'x')");
                    connection.commit();
                    return count;
                }
            });
            own("right", 2, "OPEN");
            place("right", 2);
            mover.commit();
            assertEquals(1, writer.get(20, TimeUnit.SECONDS));
            assertEquals(1, books("left"));
            assertEquals(1, books("right"));
        } finally {
            two.shutdownNow();
        }
    }

    @Test
    void trustReadsOnly() throws SQLException {
        try (Connection connection = router.openConnection("books", 6, RoutingMode.TRUST);
                Statement statement = connection.createStatement()) {
            statement.executeQuery("select count(*) from book").close();
            assertThrows(SQLException.class, () -> statement.executeUpdate("delete from book"));
        }
    }
}
