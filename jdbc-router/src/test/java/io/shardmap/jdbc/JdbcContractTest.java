package io.shardmap.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKey;
import java.sql.ShardingKeyBuilder;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of the JDBC 4.3 sharding API, line by line. */
class JdbcContractTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    private static final ShardingKey FOREIGN = new ShardingKey() {};

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

    private ShardingKey key(int value) throws SQLException {
        return source.createShardingKeyBuilder().subkey(value, JDBCType.INTEGER).build();
    }

    private Connection connect(int value) throws SQLException {
        return source.createConnectionBuilder().shardingKey(key(value)).build();
    }

    private static long books(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from book")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void keysHaveValueEqualityAndText() throws SQLException {
        assertEquals(key(6), key(6));
        assertEquals(key(6).hashCode(), key(6).hashCode());
        assertNotEquals(key(6), key(8));
        assertTrue(key(6).toString().contains(TwoServers.MAP), key(6).toString());
    }

    @Test
    void aSubkeyMayBeVarcharAndIsCheckedWhenItIsBuilt() throws SQLException {
        assertEquals(
                key(6),
                source.createShardingKeyBuilder().subkey("6", JDBCType.VARCHAR).build());
        ShardingKeyBuilder wrong = source.createShardingKeyBuilder().subkey("six", JDBCType.VARCHAR);
        assertEquals("22023", assertThrows(SQLException.class, wrong::build).getSQLState());
        ShardingKeyBuilder none = source.createShardingKeyBuilder();
        assertThrows(SQLException.class, none::build);
    }

    @Test
    void allSettersReturnTheSameBuilderAndTheLastValueWins() throws SQLException {
        ConnectionBuilder builder = source.createConnectionBuilder();
        assertSame(builder, builder.shardingKey(key(7)));
        assertSame(builder, builder.shardingKey(key(6)));
        assertSame(builder, builder.superShardingKey(null));
        assertSame(builder, builder.user(null));
        assertSame(builder, builder.password(null));
        try (Connection connection = builder.build()) {
            assertTrue(connection.toString().contains("left"), connection.toString());
        }
    }

    @Test
    void aNullKeyIsLegalOnTheBuilderAndRefusedWithTheWayOut() {
        ConnectionBuilder builder = source.createConnectionBuilder().shardingKey(null);
        SQLException refusal = assertThrows(SQLFeatureNotSupportedException.class, builder::build);
        assertTrue(refusal.getMessage().contains("shardingKey(key)"), refusal.getMessage());
    }

    @Test
    void credentialsOfOneConnectionAreRefusedWhenItIsBuilt() throws SQLException {
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> source.createConnectionBuilder()
                        .shardingKey(key(6))
                        .user("u")
                        .build());
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> source.createConnectionBuilder()
                        .shardingKey(key(6))
                        .password("p")
                        .build());
        assertThrows(SQLFeatureNotSupportedException.class, () -> source.getConnection("u", "p"));
    }

    @Test
    void keysOfOtherImplementationsAndOtherMapsAreRefusedEverywhere() throws SQLException {
        ShardingKey ofOtherMap = new io.shardmap.jdbc.routed.RoutingKey(
                "other", two.router().map(TwoServers.MAP).keyType().canonical(6));
        for (ShardingKey foreign : new ShardingKey[] {FOREIGN, ofOtherMap}) {
            assertThrows(
                    SQLFeatureNotSupportedException.class,
                    () -> source.createConnectionBuilder().shardingKey(foreign).build());
            try (Connection connection = connect(6)) {
                assertThrows(SQLFeatureNotSupportedException.class, () -> connection.setShardingKey(foreign));
                assertThrows(SQLFeatureNotSupportedException.class, () -> connection.setShardingKeyIfValid(foreign, 0));
            }
        }
    }

    @Test
    void aSuperKeyIsRefusedAndNullIsNone() throws SQLException {
        try (Connection connection = connect(6)) {
            connection.setShardingKey(key(8), null);
            assertTrue(connection.setShardingKeyIfValid(key(6), null, 0));
            assertThrows(SQLFeatureNotSupportedException.class, () -> connection.setShardingKey(key(6), FOREIGN));
            assertThrows(
                    SQLFeatureNotSupportedException.class, () -> connection.setShardingKeyIfValid(key(6), FOREIGN, 0));
            assertThrows(
                    SQLFeatureNotSupportedException.class,
                    () -> connection.setShardingKeyIfValid(null, FOREIGN, 0),
                    "a super key without a key");
        }
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> source.createConnectionBuilder()
                        .shardingKey(key(6))
                        .superShardingKey(FOREIGN)
                        .build());
    }

    @Test
    void settingAKeyNeedsNoRoundTrip() throws SQLException {
        try (Connection connection = connect(6)) {
            connection.setShardingKey(key(7));
            assertTrue(connection.setShardingKeyIfValid(key(9), 0));
            assertEquals(0, two.router().pools().open().size(), "no pool was needed");
        }
    }

    @Test
    void aClosedConnectionRefusesEveryShardingCall() throws SQLException {
        Connection closed = connect(6);
        closed.close();
        ShardingKey other = key(8);
        assertEquals(
                "08003",
                assertThrows(SQLException.class, () -> closed.setShardingKey(other))
                        .getSQLState());
        assertThrows(SQLException.class, () -> closed.setShardingKey(other, null));
        assertThrows(SQLException.class, () -> closed.setShardingKeyIfValid(other, 0));
        assertThrows(SQLException.class, () -> closed.setShardingKeyIfValid(other, null, 0));
        assertThrows(SQLException.class, closed::beginRequest);
        assertThrows(SQLException.class, closed::endRequest);
    }

    @Test
    void aKeyIfValidIsFalseOnAnotherServerAndLeavesTheConnectionAsItIs() throws SQLException {
        try (Connection connection = connect(6)) {
            assertFalse(connection.setShardingKeyIfValid(key(7), 5));
            assertTrue(connection.toString().contains("left"), connection.toString());
            assertEquals(0, books(connection));
            assertThrows(SQLException.class, () -> connection.setShardingKeyIfValid(key(8), -1));
        }
    }

    @Test
    void aKeyIfValidEntersTheSecondVirtualShardOrIsFalse() throws SQLException {
        try (Connection connection = connect(6)) {
            connection.setAutoCommit(false);
            assertEquals(0, books(connection));
            assertTrue(connection.setShardingKeyIfValid(key(8), 0));
            assertEquals(2, two.count("left", "pg_locks where locktype = 'advisory'"), "both are entered");
            two.own("left", 4, 2, "FENCED");
            assertFalse(connection.setShardingKeyIfValid(key(4), 1), "it is changing server");
            two.own("left", 2, 2, "CLOSED");
            assertFalse(connection.setShardingKeyIfValid(key(2), 1), "the map is stale");
            assertEquals(0, books(connection), "the transaction goes on");
            connection.rollback();
        }
    }

    @Test
    void aKeyThatChangesInsideATransactionIsAnError() throws SQLException {
        try (Connection connection = connect(6)) {
            connection.setAutoCommit(false);
            assertEquals(0, books(connection));
            for (int other : new int[] {7, 8}) {
                SQLException refusal = assertThrows(
                        SQLFeatureNotSupportedException.class, () -> connection.setShardingKey(key(other)));
                assertTrue(refusal.getMessage().contains("setShardingKeyIfValid"), refusal.getMessage());
            }
            connection.setShardingKey(key(6));
            connection.commit();
            connection.setShardingKey(key(7));
            assertTrue(connection.toString().contains("right"), connection.toString());
        }
    }

    @Test
    void metadataSaysThatShardingIsSupported() throws SQLException {
        try (Connection connection = connect(6)) {
            assertTrue(connection.getMetaData().supportsSharding());
            assertSame(connection, connection.getMetaData().getConnection());
            assertEquals("PostgreSQL", connection.getMetaData().getDatabaseProductName());
        }
    }

    @Test
    void requestsAreHintsThatMayBeRepeatedAndCostNoConnection() throws SQLException {
        try (Connection connection = connect(6)) {
            connection.beginRequest();
            connection.beginRequest();
            connection.endRequest();
            connection.endRequest();
            assertEquals(0, two.router().pools().open().size(), "no pool was needed");
            assertEquals(0, books(connection));
            connection.beginRequest();
            assertEquals(0, books(connection));
            connection.endRequest();
            connection.endRequest();
            assertEquals(0, books(connection));
        }
    }
}
