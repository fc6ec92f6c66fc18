package io.shardmap.jdbc.routed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ShardedTable;
import io.shardmap.jdbc.TwoServers;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that bypass the router are refused by the guard; TRUST writes only behind it. */
class TrustAndGuardTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    private static final ShardedTable BOOK = new ShardedTable(null, "book", "check_digit");

    private TwoServers two;

    @BeforeEach
    void open() throws SQLException {
        two = new TwoServers(servers);
    }

    @AfterEach
    void close() {
        two.close();
    }

    private void guard() throws SQLException {
        for (String server : new String[] {"left", "right"}) {
            try (Connection connection = two.admin(server)) {
                ServerDialect dialect = ServerDialect.of("jdbc:postgresql:");
                dialect.installGuard(connection, 1, BOOK);
                dialect.installGuard(connection, 1, BOOK);
            }
        }
        two.store.addTable(TwoServers.MAP, BOOK);
    }

    private void refused(String state, String sql) {
        SQLException error = assertThrows(SQLException.class, () -> two.sql("left", sql));
        assertEquals(state, error.getSQLState(), error.getMessage());
    }

    @Test
    void guardRefusesRowsOfOthersInEveryIsolation() throws SQLException {
        guard();
        two.sql("left", "insert into book values (1, 6)");
        for (String isolation : new String[] {"read committed", "repeatable read", "serializable"}) {
            String begin = "set session characteristics as transaction isolation level " + isolation + "; ";
            refused("SM005", begin + "insert into book values (2, 7)");
            refused("SM005", begin + "update book set check_digit = 7");
            refused("SM003", begin + "insert into book values (2, null)");
        }
        two.own("left", 6, 2, "CLOSED");
        refused("SM005", "delete from book");
        refused("SM005", "update book set title = 'x'");
        two.own("left", 6, 2, "FENCED");
        refused("SM006", "update book set title = 'x'");
        refused("SM004", "truncate book");
        assertEquals(1, two.count("left", "book where title is null"));
    }

    /** PostgreSQL dooms a pivot of three transactions; the guard's own query may be the first that is told. */
    @Test
    void guardDoesNotHideAConflictOfSerializableTransactions() throws SQLException {
        guard();
        two.sql("left", "insert into book values (1, 6, 'one'), (2, 6, 'two')");
        try (Connection pivot = serializable();
                Connection reader = serializable();
                Connection writer = serializable()) {
            execute(pivot, "select title from book where id = 1");
            execute(reader, "select title from book where id = 2");
            execute(pivot, "update book set title = 'pivot' where id = 2");
            execute(writer, "update book set title = 'writer' where id = 1");
            writer.commit();

            SQLException conflict =
                    assertThrows(SQLException.class, () -> execute(pivot, "insert into book values (3, 6, 'three')"));

            assertEquals("40001", conflict.getSQLState(), conflict.getMessage());
        }
    }

    private Connection serializable() throws SQLException {
        Connection connection = two.admin("left");
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
        return connection;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void guardKeepsARowInItsVirtualShardEvenWhereTheServerOwnsBoth() throws SQLException {
        guard();
        two.own("left", 8, 1, "OPEN");
        two.sql("left", "insert into book values (1, 6)");

        refused("SM007", "update book set check_digit = 8");

        two.sql("left", "update book set check_digit = 6, title = 'same'");
        assertEquals(1, two.count("left", "book where title = 'same'"));
    }

    @Test
    void guardOfAPartitionedTableRefusesToEmptyAPartition() throws SQLException {
        two.sql(
                "left",
                "create table parted (id int, check_digit int not null) partition by list (check_digit);"
                        + " create table parted_six partition of parted for values in (6)");
        try (Connection connection = two.admin("left")) {
            ServerDialect.of("jdbc:postgresql:")
                    .installGuard(connection, 1, new ShardedTable(null, "parted", "check_digit"));
        }

        refused("SM004", "truncate parted_six");
        refused("SM004", "truncate parted");
    }

    @Test
    void guardLetsTheMoverWithTheCurrentTokenPass() throws SQLException {
        guard();
        two.sql("left", "insert into shardmap.mover_token values (1, 7, 42)");
        two.sql("left", "set shardmap.mover_token = '42'; insert into book values (1, 7)");
        refused("SM005", "set shardmap.mover_token = '41'; insert into book values (2, 7)");
        refused("SM005", "set shardmap.mover_token = '42'; insert into book values (2, 9)");
        assertEquals(1, two.count("left", "book"));
    }

    @Test
    void guardAndRouterNeedNoMorePrivilegesThanTheTableItself() throws SQLException {
        guard();
        two.sql("left", "drop owned by clerk; drop role clerk", true);
        two.sql("left", "create role clerk; grant select, insert, update, delete on book to clerk");
        two.sql("left", "set role clerk; insert into book values (1, 6)");
        for (String isolation : new String[] {"read committed", "repeatable read", "serializable"}) {
            two.sql(
                    "left",
                    "set role clerk; begin isolation level " + isolation
                            + "; select shardmap.enter(1, 6, 1); update book set title = 'x'; commit");
        }
        refused("42501", "set role clerk; update shardmap.ownership set state = 'OPEN'");
        refused("42501", "set role clerk; select * from shardmap.mover_token");
    }

    @Test
    void trustReadsButDoesNotWriteWithoutGuard() throws SQLException {
        two.sql("left", "insert into book values (1, 6, 'seen')");
        try (Connection connection = two.router().openConnection(TwoServers.MAP, 6, RoutingMode.TRUST);
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select title from book")) {
                row.next();
                assertEquals("seen", row.getString(1));
            }
            SQLFeatureNotSupportedException error = assertThrows(
                    SQLFeatureNotSupportedException.class, () -> statement.executeUpdate("delete from book"));
            assertTrue(error.getMessage().contains("guard"), error.getMessage());
            assertThrows(SQLFeatureNotSupportedException.class, () -> connection.prepareStatement("delete from book"));
        }
        assertEquals(1, two.count("left", "book"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void trustWritesBehindTheGuardAndOnlyOnTheOwner(boolean autoCommit) throws SQLException {
        guard();
        try (Connection connection = two.router().openConnection(TwoServers.MAP, 6, RoutingMode.TRUST);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(autoCommit);
            assertEquals(1, statement.executeUpdate("insert into book values (1, 6)"));
            if (!autoCommit) {
                connection.commit();
            }
            two.moveEmpty(6, "left", "right", 2);
            SQLException error =
                    assertThrows(SQLException.class, () -> statement.executeUpdate("insert into book values (2, 6)"));
            assertEquals("SM005", error.getSQLState());
            if (!autoCommit) {
                connection.rollback();
            }
        }
        assertEquals(1, two.count("left", "book"));
    }
}
