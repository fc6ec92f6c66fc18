package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A fan-out as its callers see it. */
class FanOutTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "three", "two");

    private static final int ROWS = 3_000;
    private static Cluster cluster;

    @BeforeAll
    static void fill() throws SQLException {
        cluster = Cluster.postgres(
                SERVERS,
                "book",
                "create table book (id int primary key, shard int not null, title text collate \"C\", note text)",
                "one",
                "three",
                "two");
        for (int shard = 0; shard < Cluster.SHARDS; shard++) {
            cluster.sql(
                    cluster.home(shard),
                    "insert into book select id, " + shard
                            + ", 'title ' || id, case when id % 7 = 0 then null else 'x' end"
                            + " from generate_series(0, " + (ROWS - 1) + ") id where id % 12 = " + shard);
        }
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
    }

    @Test
    void rowsOfAllServersComeOnceInBatches() throws SQLException {
        Set<Integer> seen = new HashSet<>();
        try (FanOutResult result = cluster.fanOut().fetchSize(100).query("select id, note from book")) {
            ResultSet rows = result.resultSet();
            while (rows.next()) {
                assertTrue(seen.add(rows.getInt(1)));
                assertEquals(rows.getInt("id") % 7 == 0 ? null : "x", rows.getString("note"));
                assertEquals(rows.getInt("id") % 7 == 0, rows.getString(2) == null);
                assertEquals(rows.getString("note") == null, rows.wasNull());
            }
            assertEquals(3, result.outcomes().size());
            assertEquals(
                    ROWS,
                    result.outcomes().stream().mapToLong(ServerOutcome::rows).sum());
            result.outcomes().forEach(outcome -> assertNull(outcome.error()));
        }
        assertEquals(ROWS, seen.size());
    }

    @Test
    void aSortedQueryIsMerged() throws SQLException {
        List<Integer> ids = cluster.fanOut()
                .query(
                        "select title from book where shard < ? order by id desc limit ? offset 3",
                        row -> Integer.parseInt(row.getString(1).substring("title ".length())),
                        12,
                        1500);
        assertEquals(IntStream.range(0, 1500).mapToObj(i -> ROWS - 4 - i).toList(), ids);
    }

    @Test
    void aCountIsTheSumOfTheServers() throws SQLException {
        try (FanOutResult result = cluster.fanOut().query("select count(note) from book where id >= ? or id < 0", 7)) {
            ResultSet rows = result.resultSet();
            ResultSetMetaData metaData = rows.getMetaData();
            assertEquals("count", metaData.getColumnLabel(1));
            assertEquals(Types.BIGINT, metaData.getColumnType(1));
            assertEquals("int8", metaData.getColumnTypeName(1));
            assertThrows(SQLException.class, () -> rows.getLong(1));
            assertTrue(rows.next());
            long expected = IntStream.range(7, ROWS).filter(id -> id % 7 != 0).count();
            assertEquals(expected, rows.getLong(1));
            assertEquals(expected, rows.getObject("COUNT"));
            assertEquals((int) expected, rows.getInt("count"));
            assertFalse(rows.wasNull());
            assertFalse(rows.next());
            assertThrows(SQLException.class, () -> rows.getLong(1));
        }
    }

    @Test
    void hiddenSortColumnsDoNotShow() throws SQLException {
        try (FanOutResult result = cluster.fanOut().query("select title as name, id from book order by title, shard")) {
            ResultSet rows = result.resultSet();
            ResultSetMetaData metaData = rows.getMetaData();
            assertEquals(2, metaData.getColumnCount());
            assertEquals("name", metaData.getColumnLabel(1));
            assertEquals("text", metaData.getColumnTypeName(1));
            assertEquals("book", metaData.getTableName(2));
            assertTrue(rows.isBeforeFirst());
            String before = "";
            while (rows.next()) {
                assertTrue(before.compareTo(rows.getString("name")) < 0);
                before = rows.getString("name");
                assertThrows(SQLException.class, () -> rows.getObject(3));
                assertThrows(SQLException.class, () -> rows.findColumn("shardmap sort 1"));
            }
            assertTrue(rows.isAfterLast());
        }
    }

    @Test
    void getterErrorsSayWhatIsWrong() throws SQLException {
        FanOutResult result = cluster.fanOut().query("select id from book limit 1");
        ResultSet rows = result.resultSet();
        assertTrue(assertThrows(SQLException.class, () -> rows.getInt(1))
                .getMessage()
                .contains("call next() first"));
        assertTrue(rows.next());
        assertThrows(SQLException.class, () -> rows.getInt(2));
        assertThrows(SQLException.class, () -> rows.getInt("nothing"));
        assertFalse(rows.next());
        assertFalse(rows.next());
        assertTrue(assertThrows(SQLException.class, () -> rows.getInt(1))
                .getMessage()
                .contains("have ended"));
        result.close();
        result.close();
        assertTrue(rows.isClosed());
        assertTrue(assertThrows(SQLException.class, rows::next).getMessage().contains("closed"));
    }

    @Test
    void closingEarlyEndsEverything() throws SQLException {
        FanOutResult result = cluster.fanOut().fetchSize(10).query("select id from book");
        assertTrue(result.resultSet().next());
        assertEquals(3, cluster.inUse());
        result.resultSet().close();
        assertEquals(0, cluster.inUse());
    }

    @Test
    void whatIsExplainedIsWhatRuns() throws SQLException {
        FanOutPlan plan = cluster.fanOut().explain("select id from book order by title");
        assertInstanceOf(FanOutPlan.SortedMerge.class, plan);
        assertTrue(
                plan.describe().contains("server three: SELECT id, title AS \"shardmap sort 1\" FROM book ORDER BY"));
        try (FanOutResult result = cluster.fanOut().query("select id from book order by title")) {
            assertEquals(plan, result.plan());
            assertTrue(plan == result.plan());
        }
    }

    @Test
    void refusalsNameTheConstruct() {
        SQLException refused = assertThrows(
                SQLFeatureNotSupportedException.class, () -> cluster.fanOut().query("select sum(id) from book"));
        assertEquals("0A000", refused.getSQLState());
        assertTrue(refused.getMessage().contains("aggregate sum"));
    }

    @Test
    void localeCollationsAreRefusedAndTheBinaryOneIsNot() throws SQLException {
        String collated = "select id from book order by note collate \"en_US\"";
        SQLException refused =
                assertThrows(SQLException.class, () -> cluster.fanOut().query(collated));
        assertTrue(refused.getMessage().contains("server "), refused.getMessage());
        cluster.fanOut()
                .query("select id from book order by note collate \"C\", 1")
                .close();
    }

    @Test
    void errorsOfAServerNameItAndKeepTheirState() {
        SQLException error =
                assertThrows(SQLException.class, () -> cluster.fanOut().query("select 1 / (id - 5) from book"));
        assertEquals("22012", error.getSQLState());
        assertTrue(error.getMessage().startsWith("server "), error.getMessage());
    }

    @Test
    void theNumberOfParametersMustFit() {
        SQLException error =
                assertThrows(SQLException.class, () -> cluster.fanOut().query("select id from book where id = ?"));
        assertEquals("07001", error.getSQLState());
        error = assertThrows(SQLException.class, () -> cluster.fanOut().query("select id from book limit ?", -1));
        assertEquals("2201W", error.getSQLState());
    }
}
