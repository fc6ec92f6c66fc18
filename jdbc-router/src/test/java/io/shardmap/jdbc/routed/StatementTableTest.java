package io.shardmap.jdbc.routed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.TwoServers;
import io.shardmap.testkit.PostgresServers;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;

/** Every kind of statement gives through a routed connection what it gives through the driver, or is refused by name. */
class StatementTableTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    private TwoServers two;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        two = new TwoServers(servers);
        connection = two.open(6);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        two.close();
    }

    private long books() throws SQLException {
        return two.count("left", "book");
    }

    private void end(boolean autoCommit) throws SQLException {
        if (!autoCommit) {
            connection.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesAndReadsInOneRoundTrip(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);
        try (PreparedStatement insert = connection.prepareStatement("insert into book values (?, 6, ?)")) {
            for (int i = 1; i <= 8; i++) {
                insert.setInt(1, i);
                insert.setString(2, "title " + i);
                assertEquals(1, insert.executeUpdate());
                end(autoCommit);
            }
        }
        try (PreparedStatement update =
                connection.prepareStatement("update book set title = title || ? where id <= ?")) {
            update.setString(1, "!");
            update.setInt(2, 3);
            assertFalse(update.execute());
            assertEquals(3, update.getUpdateCount());
            assertFalse(update.getMoreResults());
            assertEquals(-1, update.getUpdateCount());
            end(autoCommit);
        }
        try (PreparedStatement delete =
                connection.prepareStatement("delete from book where id = ? returning id, title")) {
            delete.setInt(1, 8);
            assertTrue(delete.execute());
            try (ResultSet rows = delete.getResultSet()) {
                assertTrue(rows.next());
                assertEquals("title 8", rows.getString("title"));
                assertSame(delete, rows.getStatement());
                assertFalse(rows.next());
            }
            assertFalse(delete.getMoreResults());
            assertNull(delete.getResultSet());
            end(autoCommit);
        }
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("select title from book order by id limit 1 -- done")) {
            assertTrue(rows.next());
            assertEquals("title 1!", rows.getString(1));
            end(autoCommit);
        }
        assertEquals(7, books());
    }

    @Test
    void keepsOperatorsDollarQuotesAndErrorPositions() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select $$a;b?$$, '{\"k\":1}'::jsonb ?? 'k', pg_backend_pid() > ?")) {
            statement.setInt(1, 0);
            try (ResultSet row = statement.executeQuery()) {
                assertTrue(row.next());
                assertEquals("a;b?", row.getString(1));
                assertTrue(row.getBoolean(2));
                assertTrue(row.getBoolean(3));
            }
        }
        String wrong = "select nothing from book";
        PSQLException error = assertThrows(PSQLException.class, () -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery(wrong);
            }
        });
        assertEquals(8, error.getServerErrorMessage().getPosition());
        try (Statement statement = connection.createStatement()) {
            assertEquals(
                    1, statement.executeUpdate("insert into book values (1, 6)"), "the connection is usable again");
        }
    }

    @Test
    void honoursTimeoutsMaximumRowsAndFetchSize() throws SQLException {
        two.sql("left", "insert into book select g, 6, 'title ' || g from generate_series(1, 1000) g");
        try (PreparedStatement statement = connection.prepareStatement("select id from book where id > ?")) {
            statement.setMaxRows(7);
            statement.setInt(1, 0);
            assertEquals(7, rows(statement.executeQuery()));
            statement.setMaxRows(0);
            assertEquals(1000, rows(statement.executeQuery()));
        }
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException timeout = assertThrows(SQLException.class, () -> statement.execute("select pg_sleep(30)"));
            assertEquals("57014", timeout.getSQLState());
            assertTrue(statement.execute("select 1"), "usable after the timeout");
        }
        connection.setAutoCommit(false);
        for (int fetchSize : new int[] {1, 10, 999}) {
            try (PreparedStatement statement =
                    connection.prepareStatement("select id from book where id > ? order by id")) {
                statement.setFetchSize(fetchSize);
                statement.setInt(1, 0);
                assertEquals(1000, rows(statement.executeQuery()));
                assertEquals(1000, rows(statement.executeQuery()));
                connection.commit();
                assertEquals(1000, rows(statement.executeQuery()), "again in the next transaction");
                connection.rollback();
            }
        }
    }

    private static int rows(ResultSet rows) throws SQLException {
        int count = 0;
        try (rows) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsBatchesGeneratedKeysAndSeveralStatements(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);
        try (PreparedStatement batch = connection.prepareStatement("insert into book values (?, 6, ?)")) {
            for (int i = 1; i <= 3; i++) {
                batch.setInt(1, i);
                batch.setString(2, "t" + i);
                batch.addBatch();
            }
            assertArrayEquals(new int[] {1, 1, 1}, batch.executeBatch());
            assertArrayEquals(new int[0], batch.executeBatch(), "an executed batch is empty");
            end(autoCommit);
        }
        try (Statement batch = connection.createStatement()) {
            batch.addBatch("insert into book values (4, 6)");
            batch.addBatch("update book set title = 'x' where id < 4");
            assertArrayEquals(new int[] {1, 3}, batch.executeBatch());
            end(autoCommit);
        }
        try (PreparedStatement insert =
                connection.prepareStatement("insert into book values (?, 6, 'k')", Statement.RETURN_GENERATED_KEYS)) {
            insert.setInt(1, 5);
            assertEquals(1, insert.executeUpdate());
            try (ResultSet keys = insert.getGeneratedKeys()) {
                assertTrue(keys.next());
                assertEquals(5, keys.getInt("id"));
            }
            end(autoCommit);
        }
        try (Statement several = connection.createStatement()) {
            assertFalse(several.execute("insert into book values (6, 6); select id from book where id = 6"));
            assertEquals(1, several.getUpdateCount());
            assertTrue(several.getMoreResults());
            assertEquals(1, rows(several.getResultSet()));
            end(autoCommit);
        }
        assertEquals(6, books());
    }

    @Test
    void aFailedBatchLeavesNothingInAutocommit() throws SQLException {
        try (Statement batch = connection.createStatement()) {
            batch.addBatch("insert into book values (1, 6)");
            batch.addBatch("insert into book values (1, 6)");
            assertEquals(
                    "23505",
                    assertThrows(SQLException.class, batch::executeBatch).getSQLState());
        }
        assertEquals(0, books());
        try (Statement again = connection.createStatement()) {
            assertEquals(1, again.executeUpdate("insert into book values (1, 6)"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsCallsWithOutputParameters(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);
        try (CallableStatement call = connection.prepareCall("{? = call length(?)}")) {
            call.registerOutParameter(1, Types.INTEGER);
            call.setString(2, "seven!!");
            call.execute();
            assertEquals(7, call.getInt(1));
            end(autoCommit);
        }
    }

    @Test
    void describesTheBareStatement() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select id, title from book where id = ? and title = ?")) {
            assertEquals(2, statement.getMetaData().getColumnCount());
            assertEquals("title", statement.getMetaData().getColumnLabel(2));
            assertEquals(2, statement.getParameterMetaData().getParameterCount());
        }
        assertSame(connection, connection.getMetaData().getConnection());
        assertTrue(connection.getMetaData().supportsSharding());
    }

    @Test
    void sendsStreamsOnce() throws SQLException {
        two.sql("left", "alter table book add cover bytea");
        try (PreparedStatement insert =
                connection.prepareStatement("insert into book (id, check_digit, title, cover) values (?, 6, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setCharacterStream(2, new StringReader("streamed"));
            insert.setBinaryStream(3, new ByteArrayInputStream("bytes".getBytes(StandardCharsets.UTF_8)));
            assertEquals(1, insert.executeUpdate());
        }
        assertEquals(1, two.count("left", "book where title = 'streamed' and cover = 'bytes'"));
    }

    @Test
    void sendsArraysThatBelongToNoConnectionYet() throws SQLException {
        two.sql("left", "insert into book select g, 6, 'title ' || g from generate_series(1, 10) g");
        try (PreparedStatement statement =
                connection.prepareStatement("select count(*) from book where id = any (?)")) {
            statement.setArray(1, connection.createArrayOf("int4", new Object[] {1, 2, 77}));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                assertEquals(2, row.getInt(1));
            }
        }
    }

    @Test
    void updatableResultsNeedATransaction() throws SQLException {
        two.sql("left", "insert into book values (1, 6, 'old')");
        try (Statement statement =
                connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)) {
            assertThrows(SQLFeatureNotSupportedException.class, () -> statement.executeQuery("select * from book"));
            connection.setAutoCommit(false);
            try (ResultSet rows = statement.executeQuery("select * from book")) {
                rows.next();
                rows.updateString("title", "new");
                rows.updateRow();
            }
            connection.commit();
        }
        assertEquals(1, two.count("left", "book where title = 'new'"));
    }

    @Test
    void copyNeedsATransaction() throws Exception {
        SQLFeatureNotSupportedException refused =
                assertThrows(SQLFeatureNotSupportedException.class, () -> connection.unwrap(PGConnection.class));
        assertTrue(refused.getMessage().contains("setAutoCommit(false)"), refused.getMessage());
        connection.setAutoCommit(false);
        long copied = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("copy book (id, check_digit) from stdin", new StringReader("1\t6\n2\t6\n"));
        assertEquals(2, copied);
        assertEquals(
                1,
                two.count("left", "pg_locks where locktype = 'advisory' and objid = 6"),
                "the copy ran under the lock");
        connection.commit();
        assertEquals(2, books());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vacuum book",
                "create index concurrently book_title on book (title)",
                "create database x",
                "alter system reset all"
            })
    void whatCannotRunInATransactionIsRefusedWithAWayOut(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            SQLFeatureNotSupportedException refused =
                    assertThrows(SQLFeatureNotSupportedException.class, () -> statement.execute(sql));
            assertEquals("0A000", refused.getSQLState());
            assertTrue(refused.getMessage().contains("openServer"), refused.getMessage());
        }
        try (Connection byName = two.router().openServer(TwoServers.MAP, "left");
                Statement statement = byName.createStatement()) {
            statement.execute("vacuum book");
        }
    }

    @Test
    void textsThatBothWorkAndEndTheTransactionAreRefused() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThrows(
                    SQLFeatureNotSupportedException.class,
                    () -> statement.execute("insert into book values (1, 6); commit; insert into book values (2, 6)"));
        }
        assertEquals(0, books());
    }

    @Test
    void aProcedureThatCommitsFailsAndChangesNothing() throws SQLException {
        two.sql(
                "left",
                "create or replace procedure committing() language plpgsql as "
                        + "'begin insert into book values (1, 6); commit; end'");
        try (Statement statement = connection.createStatement()) {
            assertEquals(
                    "2D000",
                    assertThrows(SQLException.class, () -> statement.execute("call committing()"))
                            .getSQLState());
        }
        assertEquals(0, books());
    }

    @Test
    void setTransactionComesBeforeTheCheck() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set transaction isolation level serializable");
            try (ResultSet row = statement.executeQuery("select current_setting('transaction_isolation')")) {
                row.next();
                assertEquals("serializable", row.getString(1));
            }
            connection.rollback();
        }
    }

    @Test
    void returnsCleanConnectionsToThePool() throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setReadOnly(true);
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("select 1").close();
        }
        connection.close();
        assertTrue(connection.isClosed());
        assertThrows(SQLException.class, () -> connection.createStatement());
        try (Connection raw = two.open(4);
                Statement statement = raw.createStatement()) {
            statement.execute("begin");
            statement.executeUpdate("insert into book values (9, 4)");
        }
        try (Connection next = two.open(6);
                Statement statement = next.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('transaction_isolation'), current_setting('transaction_read_only'), count(*) from book")) {
            row.next();
            assertEquals("read committed", row.getString(1));
            assertEquals("off", row.getString(2));
            assertEquals(0, row.getInt(3), "an open raw transaction is rolled back on close");
        }
    }
}
