package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A query that returns more than it may ends with an error that says so. */
class ResultLimitTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two");

    private static Cluster cluster;

    @BeforeAll
    static void fill() throws SQLException {
        cluster = Cluster.postgres(
                SERVERS,
                "book",
                "create table book (id int primary key, shard int not null, title text)",
                "one",
                "two");
        for (int id = 0; id < Cluster.SHARDS; id++) {
            cluster.sql(cluster.home(id), "insert into book values (" + id + ", " + id + ", 'aé€\uD83D\uDE00')");
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

    private static List<String> titles(FanOut fanOut, String sql) throws SQLException {
        return fanOut.query(sql, row -> row.getString(1));
    }

    @Test
    void asManyRowsAsTheLimitAreGiven() throws SQLException {
        assertEquals(
                12,
                titles(cluster.fanOut().resultLimit(12, Long.MAX_VALUE), "select title from book")
                        .size());
        try (FanOutResult result =
                cluster.fanOut().resultLimit(11, Long.MAX_VALUE).query("select id from book order by id")) {
            ResultSet rows = result.resultSet();
            for (int id = 0; id < 11; id++) {
                assertTrue(rows.next());
                assertEquals(id, rows.getInt(1));
            }
            SQLException refused = assertThrows(SQLException.class, rows::next);
            assertEquals("54000", refused.getSQLState());
            assertTrue(
                    refused.getMessage().contains("no more rows than its limit: limit=11, seen=12"),
                    refused.getMessage());
            assertEquals(0, cluster.inUse());
            assertThrows(SQLException.class, () -> rows.getInt(1));
        }
    }

    @Test
    void bytesAreThoseOfTheTextInUtf8() throws SQLException {
        String sql = "select title, null from book where id < 3";
        assertEquals(3, titles(cluster.fanOut().resultLimit(100, 30), sql).size());
        SQLException refused =
                assertThrows(SQLException.class, () -> titles(cluster.fanOut().resultLimit(100, 29), sql));
        assertEquals("54000", refused.getSQLState());
        assertTrue(
                refused.getMessage().contains("no more bytes than its limit: limit=29, seen=30"), refused.getMessage());
        assertEquals(List.of("12"), titles(cluster.fanOut().resultLimit(1, 2), "select count(*) from book"));
    }

    @Test
    void limitsAreAtLeastOne() {
        assertThrows(IllegalArgumentException.class, () -> cluster.fanOut().resultLimit(0, 1));
        assertThrows(IllegalArgumentException.class, () -> cluster.fanOut().resultLimit(1, 0));
    }
}
