package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.fanout.datasource.FanOutDataSource;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** The data source without keys, as a tool uses it that only knows JDBC. */
class FanOutDataSourceTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two");

    private static Cluster cluster;
    private static FanOutDataSource source;

    @BeforeAll
    static void fill() throws SQLException {
        cluster = Cluster.postgres(
                SERVERS,
                "book",
                "create table book (id int primary key, shard int not null, title text, price numeric(8,2))",
                "one",
                "two");
        for (int id = 0; id < Cluster.SHARDS; id++) {
            cluster.sql(
                    cluster.home(id), "insert into book values (" + id + ", " + id + ", 't" + id + "', " + id + ")");
        }
        source = cluster.router().fanOutDataSource(Cluster.MAP);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
    }

    private static List<Integer> ints(ResultSet rows) throws SQLException {
        List<Integer> ints = new ArrayList<>();
        while (rows.next()) {
            ints.add(rows.getInt(1));
        }
        return ints;
    }

    @Test
    void queriesRunOnAllServers() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("select id, price from book where id < 4 order by id")) {
                assertSame(statement, rows.getStatement());
                assertSame(connection, statement.getConnection());
                assertEquals(Types.NUMERIC, rows.getMetaData().getColumnType(2));
                assertEquals("price", rows.getMetaData().getColumnLabel(2));
                assertEquals(List.of(0, 1, 2, 3), ints(rows));
            }
            assertTrue(statement.execute("select count(*) from book"));
            assertEquals(-1, statement.getUpdateCount());
            assertEquals(List.of(12), ints(statement.getResultSet()));
            assertFalse(statement.getMoreResults());
            assertNull(statement.getResultSet());
            statement.setMaxRows(2);
            assertEquals(List.of(11, 10), ints(statement.executeQuery("select id from book order by id desc")));
        }
    }

    @Test
    void parametersAreBound() throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "select id from book where id between ? and ? and title <> ? and price < ? order by id")) {
            statement.setInt(1, 3);
            statement.setLong(2, 8L);
            statement.setString(3, "t5");
            statement.setObject(4, 7.5, Types.DOUBLE);
            assertNull(statement.getMetaData());
            assertEquals(List.of(3, 4, 6, 7), ints(statement.executeQuery()));
            statement.setInt(1, 7);
            assertTrue(statement.execute());
            assertEquals("id", statement.getMetaData().getColumnLabel(1));
            assertEquals(List.of(7), ints(statement.getResultSet()));
            statement.clearParameters();
            statement.setInt(2, 1);
            assertEquals(
                    "07001",
                    assertThrows(SQLException.class, statement::executeQuery).getSQLState());
        }
        try (Connection connection = source.getConnection();
                PreparedStatement byKey =
                        connection.prepareStatement("select id from book where shard = any(?) order by id")) {
            byKey.setObject(1, ShardKeys.of(List.of(9, 2)));
            assertEquals(List.of(2, 9), ints(byKey.executeQuery()));
        }
    }

    @Test
    void whatCannotBeAnsweredIsRefusedWithAdvice() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("update book set price = ?")) {
            refused("FanOut.update", () -> statement.executeUpdate("update book set price = 1"));
            refused("FanOut.update", () -> statement.execute("update book set price = 1"));
            refused("FanOut.update", prepared::executeUpdate);
            refused("random", () -> statement.executeQuery("select random() from book"));
            refused("prepareCall", () -> connection.prepareCall("call nothing()"));
            refused("setSavepoint", connection::setSavepoint);
            refused("getGeneratedKeys", statement::getGeneratedKeys);
            refused("cancel", statement::cancel);
            refused("createClob", connection::createClob);
            refused("setClob", () -> prepared.setClob(1, (java.sql.Clob) null));
            refused("executeLargeBatch", statement::executeLargeBatch);
            refused(
                    "TYPE_FORWARD_ONLY",
                    () -> connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY));
            refused("convert it first", () -> prepared.setObject(1, "5", Types.INTEGER));
            refused("READ COMMITTED", () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
            refused("credentials", () -> source.getConnection("me", "secret"));
            assertThrows(SQLException.class, () -> connection.unwrap(org.postgresql.PGConnection.class));
        }
    }

    private static void refused(String part, Executable call) {
        SQLException refusal = assertThrows(SQLFeatureNotSupportedException.class, call);
        assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
        assertEquals("0A000", refusal.getSQLState());
    }

    @Test
    void withoutAutoCommitEachQuerySeesWhatIsCommitted() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            assertThrows(SQLException.class, connection::commit);
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertTrue(connection.isReadOnly());
            assertEquals(Connection.TRANSACTION_READ_COMMITTED, connection.getTransactionIsolation());
            assertEquals(List.of(12), ints(statement.executeQuery("select count(*) from book")));
            cluster.sql("one", "insert into book values (100, 0, 'x', 1)");
            assertEquals(List.of(13), ints(statement.executeQuery("select count(*) from book")));
            cluster.sql("one", "delete from book where id = 100");
            ResultSet open = statement.executeQuery("select id from book");
            assertTrue(open.next());
            connection.commit();
            assertTrue(open.next());
            connection.rollback();
            assertTrue(open.isClosed());
        }
    }

    @Test
    void closingAConnectionClosesAll() throws SQLException {
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from book");
        assertTrue(rows.next());
        assertNotEquals(0, cluster.inUse());
        connection.close();
        connection.close();
        assertTrue(rows.isClosed() && statement.isClosed() && connection.isClosed());
        assertFalse(connection.isValid(1));
        assertEquals(
                "08003",
                assertThrows(SQLException.class, connection::createStatement).getSQLState());
    }

    @Test
    void settingsAndTimeoutsAreThoseOfTheFanOut() throws SQLException {
        try (Connection connection =
                        source.with(fanOut -> fanOut.resultLimit(3, 100)).getConnection();
                Statement statement = connection.createStatement()) {
            statement.setFetchSize(1);
            statement.setQueryTimeout(20);
            ResultSet rows = statement.executeQuery("select id from book order by id");
            SQLException refused = assertThrows(SQLException.class, () -> ints(rows));
            assertEquals("54000", refused.getSQLState());
            assertThrows(SQLException.class, () -> statement.setFetchSize(-1));
        }
    }

    @Test
    void metadataAreThoseOfAServerButForWhatCannotBeDone() throws SQLException {
        try (Connection connection = source.getConnection()) {
            DatabaseMetaData metaData = connection.getMetaData();
            assertEquals("PostgreSQL", metaData.getDatabaseProductName());
            assertSame(connection, metaData.getConnection());
            assertTrue(metaData.isReadOnly());
            assertFalse(metaData.supportsTransactions());
            assertFalse(metaData.supportsResultSetType(ResultSet.TYPE_SCROLL_SENSITIVE));
            List<String> columns = new ArrayList<>();
            try (ResultSet rows = metaData.getColumns(null, "public", "book", null)) {
                assertEquals(0, cluster.inUse());
                while (rows.next()) {
                    columns.add(rows.getString("COLUMN_NAME"));
                }
            }
            assertEquals(List.of("id", "shard", "title", "price"), columns);
        }
    }

    @Test
    void objectsAreThemselves() throws SQLException {
        try (Connection connection = source.getConnection();
                Connection other = source.getConnection()) {
            assertEquals(connection, connection);
            assertNotEquals(connection, other);
            assertEquals(connection.hashCode(), connection.hashCode());
            assertSame(connection, connection.unwrap(Connection.class));
            assertEquals("connection over all servers", connection.toString());
            assertEquals("\"a b\"", connection.createStatement().enquoteIdentifier("a b", false));
        }
    }
}
