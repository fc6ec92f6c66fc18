package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.Await;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A server's next batch is fetched while another server's is read, and no more than that. The table is a view that takes an advisory lock for each row it gives, so that other
 * sessions see how far a server has come.
 */
class PrefetchTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two");

    private static final int ROWS = 600;
    private static final int FETCH = 20;
    private Cluster cluster;

    @BeforeEach
    void fill() throws SQLException {
        cluster = Cluster.postgres(
                SERVERS,
                "tracked",
                "drop table if exists source cascade; create table source (id int primary key, shard int not null, nap float);"
                        + " create view tracked as select id, shard, nap, pg_try_advisory_xact_lock_shared(77, id) as given,"
                        + " case when nap > 0 then pg_sleep(nap) end::text as slept from source",
                "one",
                "two");
        for (int shard = 0; shard < Cluster.SHARDS; shard++) {
            cluster.sql(
                    cluster.home(shard),
                    "insert into source select id, " + shard + ", 0 from generate_series(0, " + (ROWS - 1)
                            + ") id where id % 12 = " + shard);
        }
    }

    @AfterEach
    void clear() throws Exception {
        Await.until(() -> cluster.inUse() == 0);
        for (String server : cluster.names()) {
            assertEquals(0, given(server));
            cluster.sql(server, "drop view tracked");
        }
        cluster.close();
    }

    private int given(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_locks where locktype = 'advisory' and"
                                + " classid = 77 and database = (select oid from pg_database where datname = current_database())")) {
            row.next();
            return row.getInt(1);
        }
    }

    private boolean sleeping(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_stat_activity where wait_event ="
                        + " 'PgSleep' and datname = current_database()")) {
            row.next();
            return row.getInt(1) > 0;
        }
    }

    @Test
    void aSlowReaderHasOneBatchOfEachServerAndNoMore() throws Exception {
        try (FanOutResult result = cluster.fanOut().fetchSize(FETCH).query("select id, given from tracked")) {
            ResultSet rows = result.resultSet();
            for (int i = 0; i < FETCH; i++) {
                assertTrue(rows.next());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            assertEquals(FETCH, given("one"));
            assertEquals(FETCH, given("two"));
            assertTrue(rows.next());
            Await.until(() -> given("one") == 2 * FETCH);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            assertEquals(2 * FETCH, given("one"));
            assertEquals(FETCH, given("two"));
        }
    }

    @Test
    void aResultThatFitsIntoOneFetchHasNoSecond() throws SQLException {
        assertEquals(
                FETCH,
                cluster.fanOut()
                        .fetchSize(FETCH)
                        .query("select id, given from tracked limit " + FETCH, row -> row.getInt(1))
                        .size());
        List<Integer> ids = cluster.fanOut()
                .fetchSize(ROWS)
                .query("select id, given from tracked order by id desc", row -> row.getInt(1));
        assertEquals(IntStream.range(0, ROWS).mapToObj(i -> ROWS - 1 - i).toList(), ids);
    }

    @Test
    void closingEndsAFetchThatRuns() throws Exception {
        for (int i = 0; i < 3; i++) {
            cluster.sql("two", "update source set nap = 60 where id = (select max(id) from source where id < 300)");
            long start = System.nanoTime();
            FanOutResult result = cluster.fanOut().fetchSize(75).query("select id, slept from tracked");
            assertTrue(result.resultSet().next());
            while (!sleeping("two")) {
                assertTrue(result.resultSet().next());
            }
            result.close();
            assertEquals(0, cluster.inUse());
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
            cluster.sql("two", "update source set nap = 0");
            assertEquals(
                    ROWS,
                    cluster.fanOut()
                            .fetchSize(7)
                            .query("select id from tracked", row -> row.getInt(1))
                            .size());
        }
    }

    @Test
    void theDeadlineEndsAFetchThatRuns() throws SQLException {
        cluster.sql("two", "update source set nap = 60 where id = 401");
        FanOut fanOut = cluster.fanOut().fetchSize(75).deadline(Duration.ofSeconds(1));
        long start = System.nanoTime();
        SQLException error = assertThrows(
                SQLTimeoutException.class,
                () -> fanOut.query("select id, slept from tracked order by id", row -> row.getInt(1)));
        assertEquals("57014", error.getSQLState());
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void aFetchThatNobodyRunsIsRunByTheReader() throws SQLException {
        Deque<Runnable> never = new ArrayDeque<>();
        assertEquals(
                ROWS,
                cluster.fanOut()
                        .fetchSize(FETCH)
                        .executor(never::add)
                        .query("select id from tracked", row -> row.getInt(1))
                        .size());
        never.forEach(Runnable::run);
    }

    @Test
    void aChangedColumnIsReadAsItIsNow() throws SQLException {
        FanOut fanOut = cluster.fanOut().fetchSize(FETCH);
        for (String type : List.of("int", "bigint", "text", "int")) {
            for (String server : cluster.names()) {
                cluster.sql(
                        server,
                        "drop view tracked; create view tracked as select id::" + type
                                + " as id, shard, true as given from source");
            }
            for (int i = 0; i < 12; i++) {
                List<Integer> ids = new ArrayList<>(fanOut.query("select * from tracked", row -> row.getInt("id")));
                ids.sort(null);
                assertEquals(IntStream.range(0, ROWS).boxed().toList(), ids);
            }
        }
    }
}
