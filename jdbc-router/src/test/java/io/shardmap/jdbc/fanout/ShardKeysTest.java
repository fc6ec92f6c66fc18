package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of keys goes to the servers that hold them, each with its own. */
class ShardKeysTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three");

    private static final String DDL = "create table book (id int primary key, k int not null, shard int not null)";
    private static final String BY_KEY = "select id from book b where b.k = any (?) order by id";

    private Cluster cluster;

    @BeforeEach
    void fill() throws SQLException {
        cluster = Cluster.postgres(SERVERS, "book", DDL, "one", "three", "two");
        for (int shard = 0; shard < Cluster.SHARDS; shard++) {
            cluster.sql(
                    cluster.home(shard),
                    "insert into book select id, " + shard + ", " + shard
                            + " from generate_series(0, 35) id where id % 12 = " + shard);
        }
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
        cluster.close();
    }

    private List<Integer> ids(String sql, Object... parameters) throws SQLException {
        return cluster.fanOut().query(sql, row -> row.getInt(1), parameters);
    }

    private List<String> asked(Object... keys) throws SQLException {
        try (FanOutResult result = cluster.fanOut().query(BY_KEY, ShardKeys.of(List.of(keys)))) {
            return result.outcomes().stream().map(ServerOutcome::server).toList();
        }
    }

    @Test
    void onlyTheServersThatHoldKeysAreAsked() throws SQLException {
        assertEquals(List.of("one"), asked(0, 3, 6));
        assertEquals(List.of("one", "two"), asked(5, 0));
        assertEquals(List.of("one", "three", "two"), asked(0, 1, 2));
        assertEquals(List.of(2, 3, 14, 15, 26, 27), ids(BY_KEY, ShardKeys.of(List.of(3, 2))));
    }

    @Test
    void eachServerIsAskedForItsOwnKeysOnly() throws SQLException {
        cluster.sql("one", "insert into book values (100, 1, 1)"); // a row of another server's key
        assertEquals(List.of(0, 1, 12, 13, 24, 25), ids(BY_KEY, ShardKeys.of(List.of(0, 1))));
    }

    @Test
    void aKeyGivenTwiceIsAskedForOnce() throws SQLException {
        String perKey = "select id from book where k = any (?)";
        assertEquals(3, ids(perKey, ShardKeys.of(List.of(4, 4L, (short) 4))).size());
        assertEquals(
                3,
                ids("select count(*) from book where k = any(?)", ShardKeys.of(List.of(4, 4)))
                        .get(0));
    }

    @Test
    void otherConditionsAndParametersStay() throws SQLException {
        String sql = "select id, ?::int from book where id between ? and 30 and k = any(?) and id <> ? order by id desc"
                + " limit ? offset 1";
        assertEquals(List.of(17, 13), ids(sql, 7, 5, ShardKeys.of(List.of(1, 5)), 25, 2));
    }

    @Test
    void anEmptyListAsksNobodyButIsChecked() throws SQLException {
        assertEquals(List.of(), asked());
        assertEquals(List.of(), ids(BY_KEY, ShardKeys.of(List.of())));
        assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> ids("select id from book where k = any(?) or id = 1", ShardKeys.of(List.of())));
        assertEquals(
                "07001",
                assertThrows(SQLException.class, () -> ids(BY_KEY, ShardKeys.of(List.of()), 1))
                        .getSQLState());
        try (FanOutResult result = cluster.fanOut().query(BY_KEY, ShardKeys.of(List.of()))) {
            assertFalse(result.resultSet().next());
            SQLException none =
                    assertThrows(SQLException.class, () -> result.resultSet().getMetaData());
            assertTrue(none.getMessage().contains("none was asked"), none.getMessage());
        }
        assertEquals(List.of(0), ids("select count(*) as n from book where k = any(?)", ShardKeys.of(List.of())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select id from book where k = any(?) or id = 1",
                "select id from book where not k = any(?)",
                "select id from book where (k = any(?)) is not true",
                "select id from book where k <> any(?)",
                "select id from book where id > 0 and (k = any(?) or id = 3)",
                "select id from book where id between 1 and k = any(?)",
                "select k = any(?) from book where id = 1",
                "select id from book where case when id > 1 and k = any(?) and id < 9 then true end"
            })
    void aListThatDoesNotBindAllRowsIsRefused(String sql) {
        SQLException refused = assertThrows(SQLException.class, () -> ids(sql, ShardKeys.of(List.of(1, 2))));
        assertTrue(
                refused.getMessage()
                        .contains("list of shard keys must be in a condition that all rows meet: parameter=1"),
                refused.getMessage());
    }

    @Test
    void wrongKeysAreNamed() {
        SQLException text = assertThrows(SQLException.class, () -> ids(BY_KEY, ShardKeys.of(List.of("4"))));
        assertEquals("22023", text.getSQLState());
        SQLException unmapped = assertThrows(SQLException.class, () -> ids(BY_KEY, ShardKeys.of(List.of(1, 12))));
        assertEquals("08001", unmapped.getSQLState());
        assertTrue(unmapped.getMessage().contains("12"), unmapped.getMessage());
        SQLException two = assertThrows(
                SQLFeatureNotSupportedException.class,
                () -> ids(
                        "select id from book where k = any(?) and shard = any(?)",
                        ShardKeys.of(List.of(1)),
                        ShardKeys.of(List.of(1))));
        assertTrue(two.getMessage().contains("parameters=1, 2"), two.getMessage());
    }

    @Test
    void aStaleMapHeals() throws SQLException {
        assertEquals(List.of(4, 16, 28), ids(BY_KEY, ShardKeys.of(List.of(4))));
        move(4, "three", "two");
        assertEquals(List.of(4, 16, 28), ids(BY_KEY, ShardKeys.of(List.of(4))));
        move(7, "three", "one");
        assertEquals(
                List.of(0, 1, 7, 12, 13, 19, 24, 25, 31),
                ids(BY_KEY, ShardKeys.of(List.of(0, 1, 7)))); // both were asked
        assertEquals(List.of("one", "two"), asked(4, 7));
    }

    /** Moves a virtual shard and leaves its rows on the source, as a move does until it has cleaned up. */
    private void move(int shard, String from, String to) throws SQLException {
        cluster.own(from, shard, 2, "CLOSED", true);
        cluster.sql(
                to,
                "insert into book select id, " + shard + ", " + shard
                        + " from generate_series(0, 35) id where id % 12 = " + shard);
        cluster.own(to, shard, 2, "OPEN", false);
        cluster.place(shard, to, 2);
    }

    @Test
    void keysWhoseOwnerIsNobodyAreWaitedFor() throws SQLException {
        cluster.own("two", 2, 2, "CLOSED", true);
        FanOut hasty = cluster.fanOut().deadline(Duration.ofSeconds(1));
        SQLException moving = assertThrows(
                SQLTransientConnectionException.class, () -> hasty.query(BY_KEY, ShardKeys.of(List.of(2, 3))));
        assertTrue(moving.getMessage().contains("missing=[2]"), moving.getMessage());
        assertEquals(List.of(3, 15, 27), ids(BY_KEY, ShardKeys.of(List.of(3))));
    }

    @Test
    void h2ServersGetTheirKeysToo() throws SQLException {
        try (Cluster h2 = Cluster.h2("BOOK", "create table BOOK (ID int primary key, SHARD int)", "x", "y")) {
            for (int id = 0; id < Cluster.SHARDS; id++) {
                h2.sql(h2.home(id), "insert into BOOK values (" + id + ", " + id + ")");
            }
            ShardKeys keys = ShardKeys.of(List.of(8, 3, 5));
            assertEquals(
                    List.of(3, 5, 8),
                    h2.fanOut()
                            .query("select id from book where shard = any(?) order by id", row -> row.getInt(1), keys));
            assertEquals(
                    List.of(3L),
                    h2.fanOut().query("select count(*) from book where shard = any(?)", row -> row.getLong(1), keys));
        }
    }

    @Test
    void thePlanSaysWhichParameterCanBeKeys() throws SQLException {
        String plan = cluster.fanOut()
                .explain("select id, ? from book where id > ? and k = any(?)")
                .describe();
        assertTrue(plan.contains("keys: with ShardKeys as parameter 3"), plan);
        assertFalse(cluster.fanOut()
                .explain("select id from book where k = ?")
                .describe()
                .contains("keys:"));
    }
}
