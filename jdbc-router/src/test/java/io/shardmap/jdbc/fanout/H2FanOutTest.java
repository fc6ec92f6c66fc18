package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** H2 databases in memory: the same answers as one H2 database, under its own rules for NULL and text. */
class H2FanOutTest {
    private static final String TABLE =
            "create table book (id int primary key, shard int not null, big bigint, price numeric(10, 2), ratio double precision,"
                    + " printed date, written timestamp, seen timestamp with time zone, sold boolean, ref uuid,"
                    + " raw varbinary(10), title varchar(40))";

    private static final String ROWS =
            "insert into book select x, mod(x, 12), case when mod(x, 5) > 0 then mod(x * 7, 11) end,"
                    + " case when mod(x, 4) > 0 then mod(x * 3, 7) / 2.0 end, case when mod(x, 6) > 0 then mod(x * 13, 9) / 3.0 end,"
                    + " case when mod(x, 5) > 0 then dateadd(day, mod(x * 17, 5), date '2024-02-27') end,"
                    + " case when mod(x, 5) > 0 then dateadd(hour, mod(x * 17, 5), timestamp '2024-02-27 01:00:00') end,"
                    + " case when mod(x, 5) > 0 then dateadd(hour, mod(x * 17, 5), timestamp with time zone '2024-02-27 01:00:00+02') end,"
                    + " case mod(x, 3) when 0 then true when 1 then false end,"
                    + " case when mod(x, 5) > 0 then cast(hash('MD5', cast(mod(x, 50) as varchar)) as uuid) end,"
                    + " case when mod(x, 6) > 0 then substring(hash('MD5', cast(x as varchar)) from 1 for mod(x, 3)) end,"
                    + " case mod(x * 31, 8) when 0 then '' when 1 then 'a' when 2 then 'B' when 3 then 'b' when 4 then char(65533)"
                    + " when 5 then char(55357) || char(56832) when 6 then 'a b' end"
                    + " from system_range(0, 359)";

    private static final List<String> COLUMNS = List.of(
            "id", "shard", "big", "price", "ratio", "printed", "written", "seen", "sold", "ref", "raw", "title");

    private static final List<String> CONDITIONS = List.of(
            "id < ?",
            "id >= ?",
            "big = 3",
            "big is null",
            "title in ('a', 'b')",
            "not sold",
            "price > 1",
            "shard = 0",
            "id < 0");

    private static Cluster cluster;
    private static Connection single;

    @BeforeAll
    static void fill() throws SQLException {
        cluster = Cluster.h2("BOOK", TABLE, "one", "three", "two");
        single = DriverManager.getConnection("jdbc:h2:mem:", "sa", "");
        single.createStatement().execute(TABLE);
        single.createStatement().execute(ROWS);
        for (String server : cluster.names()) {
            cluster.sql(
                    server,
                    ROWS + " where mod(mod(x, 12), 3) = " + cluster.names().indexOf(server));
        }
    }

    @AfterAll
    static void close() throws SQLException {
        single.close();
        cluster.close();
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
    }

    static LongStream seeds() {
        return LongStream.range(1_000, 1_200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheAnswerOfOneDatabase(long seed) throws SQLException {
        RandomQueries.Query query = new RandomQueries(seed, COLUMNS, CONDITIONS).next();
        try {
            Differential.compare(query, single, cluster.fanOut());
        } catch (AssertionError | SQLException e) {
            throw new AssertionError("seed=" + seed + ", sql=" + query.sql() + ", parameters=" + query.parameters(), e);
        }
    }

    @Test
    void copiesAreFilteredAndGapsWaitedFor() throws SQLException {
        try (Cluster moving = Cluster.h2("BOOK", TABLE, "one", "two")) {
            moving.sql("two", "insert into book (id, shard) values (1, 1)");
            moving.own("one", 1, 1, "CLOSED", true);
            moving.sql("one", "insert into book (id, shard) values (0, 0), (1, 1)");
            String sql = "select count(*) from book b where id < 12 or id < 0";
            try (FanOutResult result = moving.fanOut().query(sql)) {
                ResultSet rows = result.resultSet();
                assertTrue(rows.next());
                assertEquals(2, rows.getLong(1));
                assertEquals("COUNT(*)", rows.getMetaData().getColumnLabel(1));
            }
            moving.own("two", 1, 2, "CLOSED", false);
            SQLException error = assertThrows(
                    SQLException.class,
                    () -> moving.fanOut().deadline(Duration.ofSeconds(1)).query(sql));
            assertTrue(error.getMessage().contains("missing=[1]"), error.getMessage());
            assertEquals(0, moving.inUse());
        }
    }

    @Test
    void manyFanOutsAtOnceDoNotWaitInACircle() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Integer>> sums = IntStream.range(0, 8)
                    .mapToObj(thread -> threads.submit(() -> {
                        int rows = 0;
                        for (int i = 0; i < 20; i++) {
                            rows += cluster.fanOut()
                                    .query("select id from book order by title, id", row -> row.getInt(1))
                                    .size();
                        }
                        return rows;
                    }))
                    .toList();
            for (Future<Integer> sum : sums) {
                assertEquals(20 * 360, sum.get(60, TimeUnit.SECONDS));
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
