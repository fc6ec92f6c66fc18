package io.shardmap.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The JDBC 4.3 sharding API, errors in the classes frameworks translate, and the transaction template. */
class ShardingApiTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    private TwoServers two;
    private ShardDataSource source;

    @BeforeEach
    void open() throws SQLException {
        two = new TwoServers(servers);
        source = two.router().dataSource(TwoServers.MAP);
    }

    @AfterEach
    void close() {
        two.close();
    }

    private ShardingKey key(Object value) throws SQLException {
        return source.createShardingKeyBuilder().subkey(value, JDBCType.INTEGER).build();
    }

    private static String database(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('port')")) {
            row.next();
            return row.getString(1);
        }
    }

    private String port(String server) throws SQLException {
        try (Connection connection = two.admin(server)) {
            return database(connection);
        }
    }

    @Test
    void buildsConnectionsByKey() throws SQLException {
        try (Connection left =
                        source.createConnectionBuilder().shardingKey(key(6)).build();
                Connection right =
                        source.createConnectionBuilder().shardingKey(key(7)).build()) {
            assertEquals(port("left"), database(left));
            assertEquals(port("right"), database(right));
        }
        assertEquals(key(6), key(6L));
        assertEquals(key(6), key((short) 6));
        assertEquals(
                key(6),
                source.createShardingKeyBuilder().subkey("6", JDBCType.VARCHAR).build());
        assertNotEquals(key(6), key(7));
    }

    @Test
    void refusesWhatAPooledShardedDataSourceCannotDo() throws SQLException {
        assertThrows(SQLFeatureNotSupportedException.class, () -> source.getConnection());
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> source.createConnectionBuilder().shardingKey(null).build());
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> source.createConnectionBuilder()
                        .shardingKey(key(6))
                        .user("someone")
                        .build());
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> source.createConnectionBuilder()
                        .shardingKey(new ShardingKey() {})
                        .build());
        assertThrows(SQLException.class, () -> source.createShardingKeyBuilder().build());
        assertEquals("22023", assertThrows(SQLException.class, () -> key("six")).getSQLState());
    }

    @Test
    void aKeyMayChangeBetweenTransactionsButNotInside() throws SQLException {
        try (Connection connection = two.open(6)) {
            assertEquals(port("left"), database(connection));
            connection.setShardingKey(key(7));
            assertEquals(port("right"), database(connection));
            connection.setAutoCommit(false);
            database(connection);
            connection.setShardingKey(key(7));
            assertThrows(SQLFeatureNotSupportedException.class, () -> connection.setShardingKey(key(6)));
            connection.commit();
            connection.setShardingKey(key(6));
            assertEquals(port("left"), database(connection));
            connection.rollback();
        }
    }

    @Test
    void aSecondVirtualShardOfTheSameServerMayJoinTheTransaction() throws SQLException {
        try (Connection connection = two.open(6)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into book values (1, 6)");
                assertTrue(connection.setShardingKeyIfValid(key(8), 0));
                statement.executeUpdate("insert into book values (2, 8)");
                assertEquals(2, two.count("left", "pg_locks where locktype = 'advisory'"));
                assertFalse(connection.setShardingKeyIfValid(key(7), 0), "on another server");
                two.own("left", 4, 2, "CLOSED");
                assertFalse(connection.setShardingKeyIfValid(key(4), 0), "not owned any more");
                statement.executeUpdate("insert into book values (3, 6)");
                connection.commit();
            }
            assertThrows(SQLException.class, () -> connection.setShardingKeyIfValid(key(8), -1));
        }
        assertEquals(3, two.count("left", "book"));
    }

    @Test
    void errorsAreOfTheClassesThatFrameworksTranslate() throws SQLException {
        SQLException unmapped = assertThrows(
                SQLNonTransientConnectionException.class, () -> two.router().openConnection(TwoServers.MAP, 11));
        assertEquals("08001", unmapped.getSQLState());
        assertEquals(
                ErrorCode.UNMAPPED_KEY,
                assertInstanceOf(ShardMapException.class, unmapped.getCause()).code());
        SQLException unknown = assertThrows(
                SQLNonTransientConnectionException.class, () -> two.router().openConnection("nowhere", 6));
        assertTrue(unknown.getMessage().contains("map=nowhere"), unknown.getMessage());
        assertThrows(SQLException.class, () -> two.router().openConnection(TwoServers.MAP, "six"));
        assertThrows(SQLException.class, () -> two.router().openConnection(TwoServers.MAP, 6.0));
        assertThrows(SQLException.class, () -> two.router().openServer(TwoServers.MAP, "nobody"));
    }

    @Test
    void aDeadServerDisturbsOnlyItsOwnKeys() throws SQLException {
        two.store.putServer(new Server("dead", "jdbc:postgresql://127.0.0.1:1/nothing"));
        two.store.place(
                TwoServers.MAP,
                two.store.load(TwoServers.MAP).virtualShards().get(3),
                new VirtualShard(3, "dead", 2, VirtualShard.State.ASSIGNED));
        try (ShardRouter router = ShardRouter.builder(two.store)
                .credentials(servers.get("left").user(), servers.get("left").password())
                .pool(pool -> pool.setConnectionTimeout(300))
                .build()) {
            try (Connection works = router.openConnection(TwoServers.MAP, 6)) {
                assertEquals(port("left"), database(works));
            }
            try (Connection broken = router.openConnection(TwoServers.MAP, 3)) {
                SQLException error = assertThrows(SQLTransientConnectionException.class, () -> database(broken));
                assertEquals("08006", error.getSQLState());
                assertTrue(error.getMessage().contains("server=dead"), error.getMessage());
            }
        }
    }

    @Test
    void templateCommitsRollsBackAndRepeatsWhatIsSafe() throws SQLException {
        TransactionTemplate template = two.router().transactions(TwoServers.MAP);
        int inserted = template.execute(6, connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate("insert into book values (1, 6)");
            }
        });
        assertEquals(1, inserted);
        assertEquals(
                "23505",
                assertThrows(
                                SQLException.class,
                                () -> template.execute(6, connection -> {
                                    try (Statement statement = connection.createStatement()) {
                                        statement.executeUpdate("insert into book values (2, 6)");
                                        return statement.executeUpdate("insert into book values (1, 6)");
                                    }
                                }))
                        .getSQLState());
        AtomicInteger runs = new AtomicInteger();
        template.execute(6, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into book values (%d, 6)".formatted(10 + runs.get()));
                if (runs.incrementAndGet() < 3) {
                    throw new SQLException("could not serialize", "40001");
                }
                return null;
            }
        });
        assertEquals(3, runs.get());
        assertEquals(2, two.count("left", "book"));
    }
}
