package io.shardmap.jdbc.fanout;

import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random queries give what one unsharded PostgreSQL database with the same rows gives; the middle server is empty. */
class DifferentialTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three", "single");

    private static final String TABLE = """
            create table book (id int primary key, shard int not null, small smallint, big bigint, price numeric, ratio double precision,
                single real, printed date, written timestamp, seen timestamptz, opens time, sold boolean, ref uuid, raw bytea,
                title text collate "C", code varchar(20) collate "C", pad char(6) collate "C", plain text)
            """;

    /** NULLs, ties, extremes, and text whose UTF-16 order is not its UTF-8 order. */
    private static final String ROWS = """
            insert into book select id, id % 12,
                case when h % 5 > 0 then (h % 7)::smallint end,
                case when h % 6 > 0 then h % 11 * 1000000007::bigint end,
                (array[1, 1.0, 1.50, -3, 'NaN', 'Infinity', '-Infinity', 1e30, null]::numeric[])[1 + h % 9],
                (array[0, '-0', 1.5, 'NaN', 'Infinity', '-Infinity', 1e-300, null]::float8[])[1 + h % 8],
                (array[0, '-0', 1.5, 'NaN', 'Infinity', '-Infinity', null]::float4[])[1 + h % 7],
                (array['infinity', '-infinity', '2024-02-29', '0044-03-15 BC', null]::date[])[1 + h % 5],
                (array['infinity', '-infinity', '2024-02-29 12:00:00.000001', '2024-02-29 12:00', null]::timestamp[])[1 + h % 5],
                (array['infinity', '-infinity', '2024-02-29 12:00+02', '2024-02-29 11:00+01', null]::timestamptz[])[1 + h % 5],
                (array['00:00', '23:59:59.999999', '24:00', null]::time[])[1 + h % 4],
                (array[true, false, null])[1 + h % 3],
                case when h % 5 > 0 then md5((h % 50)::text)::uuid end,
                case when h % 6 > 0 then decode(substr(md5(h::text), 1, 2 * (h % 3)), 'hex') end,
                (array['', 'a', 'B', 'b', 'é', E'\\uFFFD', E'\\U0001F600', 'a b', 'a' || chr(1), null])[1 + h % 10],
                (array['x', 'X', 'xx', E'\\uE000', E'\\U00010000', null])[1 + h % 6],
                (array['a', 'a b', 'a' || chr(1), 'b', null])[1 + h % 5],
                'p' || h
            from (select id, hashint4(id) & 65535 h from generate_series(0, 359) id) generated
            where id % 12 % 3 <> 1
            """;

    private static final List<String> COLUMNS = List.of(
            "id", "shard", "small", "big", "price", "ratio", "single", "printed", "written", "seen", "opens", "sold",
            "ref", "raw", "title", "code", "pad");

    private static final List<String> CONDITIONS = List.of(
            "id < ?",
            "id >= ?",
            "small = 3",
            "small is null",
            "title in ('a', 'b')",
            "not sold",
            "price > 1",
            "shard = 0",
            "shard <> 2",
            "id < 0",
            "(big is null or ratio > 0)",
            "code like 'x%'",
            "seen is not distinct from null",
            "id % 5 = 2",
            "coalesce(small, 9) > 5");

    private static Cluster cluster;
    private static Connection single;

    @BeforeAll
    static void fill() throws SQLException {
        cluster = Cluster.postgres(SERVERS, "book", TABLE, "one", "two", "three");
        single = SERVERS.get("single").openConnection();
        single.createStatement().execute(TABLE);
        single.createStatement().execute(ROWS);
        for (String server : cluster.names()) {
            int place = cluster.names().indexOf(server);
            cluster.sql(server, ROWS + " and id % 12 % 3 = " + place);
        }
    }

    @AfterAll
    static void close() throws SQLException {
        single.close();
        cluster.close();
    }

    static LongStream seeds() {
        return LongStream.range(0, 400);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheAnswerOfOneDatabase(long seed) throws SQLException {
        RandomQueries.Query query = new RandomQueries(seed, COLUMNS, CONDITIONS).next();
        FanOut fanOut = cluster.fanOut().fetchSize(seed % 2 == 0 ? 7 : 1_000);
        try {
            Differential.compare(query, single, fanOut);
        } catch (AssertionError | SQLException e) {
            throw new AssertionError("seed=" + seed + ", sql=" + query.sql() + ", parameters=" + query.parameters(), e);
        }
    }
}
