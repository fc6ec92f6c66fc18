package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ShardedTable;
import io.shardmap.jdbc.Await;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOutPlan.Pull;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a coordinator answers is what one unsharded PostgreSQL database answers, and nothing of it stays behind. */
class CoordinatorTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three", "single");

    private static final ShardedTable BOOK = new ShardedTable(null, "book", "shard");
    private static final ShardedTable LOAN = new ShardedTable("public", "loan", "Shard No");

    private static final String TABLES = """
            drop table if exists book, loan; drop type if exists mood;
            create type mood as enum ('sad', 'ok', 'happy');
            create table book (id int primary key, shard int not null, title text not null collate "und-x-icu", price numeric(8,2),
                felt mood, moods mood[], twice int generated always as (id * 2) stored, spent interval, seen timestamptz, raw bytea,
                note text, paid money, ratio float8);
            create table loan (n int generated always as identity, book int not null, "Shard No" int not null, days int)
            """;
    private static final String BOOKS = """
            insert into book (id, shard, title, price, felt, moods, spent, seen, raw, note, paid, ratio) select id, id % 12, (array['a', 'A', 'b', 'Ä', 'ä', 'z', E'x\\ty\\\\N\\nz'])[1 + id % 7] || id % 3,
                case when id % 9 > 0 then id * 1.1 end, (enum_range(null::mood))[1 + id % 4], array['ok', null, 'happy']::mood[],
                make_interval(days => -id, secs => id * 1.5), '2024-01-01 00:00+00'::timestamptz + id * interval '1 hour',
                decode(md5(id::text), 'hex'), nullif('', ''), id::money, id / 3.0
            from generate_series(0, 599) id where true
            """;
    private static final String LOANS = """
            insert into loan (book, "Shard No", days) select id % 600, id % 12, id % 31 from generate_series(0, 899) id where true
            """;

    private Cluster cluster;
    private Connection single;
    private FanOuts fanOuts;

    @BeforeEach
    void fill() throws SQLException {
        cluster = Cluster.postgres(SERVERS, "book", TABLES, "one", "two", "three");
        cluster.store.addTable(Cluster.MAP, LOAN);
        single = SERVERS.get("single").openConnection();
        execute(single, TABLES);
        execute(single, BOOKS);
        execute(single, LOANS);
        for (String server : cluster.names()) {
            int place = cluster.names().indexOf(server);
            cluster.sql(server, BOOKS + " and id % 12 % 3 = " + place);
            cluster.sql(server, LOANS + " and id % 12 % 3 = " + place);
        }
        fanOuts = new FanOuts(cluster.router().pools(), CoordinatorTest::everything);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        Await.until(() -> cluster.inUse() == 0);
        for (String server : cluster.names()) {
            try (Connection connection = cluster.admin(server);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "select pg_try_advisory_xact_lock(1397555201, -1), (select count(*) from pg_class where relpersistence = 't')")) {
                row.next();
                assertTrue(row.getBoolean(1), "lock left on " + server);
                assertEquals(0, row.getInt(2), "temporary table left on " + server);
            }
        }
        fanOuts.close();
        single.close();
        cluster.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A plan that collects all rows of both tables. */
    private static FanOutPlan everything(QueryPlanner.Request request) {
        return plan(request, new Pull(BOOK, List.of(), null, List.of()), new Pull(LOAN, List.of(), null, List.of()));
    }

    private static FanOutPlan plan(QueryPlanner.Request request, Pull... pulls) {
        int parameters = (int) request.sql().chars().filter(c -> c == '?').count();
        return new FanOutPlan.Coordinated(
                new FanOutPlan.Origin(
                        request.sql(),
                        request.map().name(),
                        request.map().generation(),
                        List.copyOf(request.map().placements().keySet()),
                        parameters),
                List.of(pulls),
                request.sql(),
                IntStream.rangeClosed(1, parameters).boxed().toList(),
                "test");
    }

    private FanOut fanOut() throws SQLException {
        return fanOuts.over(cluster.router().resolver(Cluster.MAP));
    }

    /** Returns a fan-out that collects as the pulls say. */
    private FanOut fanOut(Pull... pulls) throws SQLException {
        return new FanOuts(cluster.router().pools(), request -> plan(request, pulls))
                .over(cluster.router().resolver(Cluster.MAP));
    }

    private void same(FanOut fanOut, String sql, @Nullable Object... parameters) throws SQLException {
        List<String> expected;
        try (PreparedStatement statement = single.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                expected = described(rows);
            }
        }
        try (FanOutResult result = fanOut.query(sql, parameters)) {
            assertEquals(expected, described(result.resultSet()));
        }
    }

    private static List<String> described(ResultSet rows) throws SQLException {
        ResultSetMetaData metaData = rows.getMetaData();
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= metaData.getColumnCount(); i++) {
            all.add(metaData.getColumnLabel(i) + " " + metaData.getColumnTypeName(i) + " "
                    + metaData.getColumnClassName(i)
                    + " " + metaData.getPrecision(i) + " " + metaData.getScale(i) + " " + metaData.getTableName(i) + " "
                    + metaData.getColumnName(i));
        }
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= metaData.getColumnCount(); i++) {
                Object value = rows.getObject(i);
                row.add((value instanceof byte[] bytes ? Arrays.toString(bytes) : value + "") + " "
                        + rows.getString(i));
            }
            all.add(row.toString());
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select b.id, b.title, l.days from book b join loan l on l.book = b.id order by b.id, l.days, l.n",
                "select b.id, sum(l.days) from book b left join loan l on l.book = b.id group by b.id having count(*) > 1 order by 1",
                "select title, count(*), avg(price), stddev(price), sum(price), min(title), count(distinct felt) from book"
                        + " group by title order by title",
                "select avg(days), sum(ratio::numeric), max(spent), sum(spent), sum(paid)::text from book, loan where book.id = loan.book",
                "select id, row_number() over (partition by felt order by price desc nulls last, id), lag(title) over (order by id)"
                        + " from book order by id",
                "with top as (select book, sum(days) d from loan group by book order by 2 desc, 1 limit 7)"
                        + " select top.*, title from top join book on id = book order by d desc, id",
                "select id from book where price > (select avg(price) from book) and exists (select from loan where book = id)"
                        + " order by title, id",
                "select title from book where id < 50 union select days::text from loan except select 'a0' order by 1",
                "select * from book order by id",
                "select b.* from book b where title like 'Ä%' order by b.title desc, id limit 5 offset 2",
                "select string_agg(title, ',' order by title, id), array_agg(felt order by id) from book",
                "select count(*) from loan where \"Shard No\" = 4",
                "select felt, count(*) from book group by rollup (felt) order by felt nulls first, 2"
            })
    void anAnswerIsThatOfOneDatabase(String sql) throws SQLException {
        for (String coordinator : List.of("one", "two", "three")) {
            same(fanOut().coordinator(coordinator), sql);
        }
        same(fanOut().fetchSize(7), sql);
    }

    @Test
    void onlyNeededColumnsAndRowsAreCollected() throws SQLException {
        String sql = "select id, felt from book where id >= ? and title < ? and price is not null order by id";
        FanOut narrow = fanOut(new Pull(
                BOOK,
                List.of("id", "title", "felt", "price"),
                "id >= ? AND title < ? AND price IS NOT NULL",
                List.of(1, 2)));
        same(narrow, sql, 590, "b'\\x; drop table book --");
        same(narrow, sql, 100L, "z");
        same(narrow, sql, null, "z");
        try (FanOutResult result = narrow.query(sql, 594, "zz")) {
            while (result.resultSet().next()) {}
            long rows =
                    result.outcomes().stream().mapToLong(ServerOutcome::rows).sum();
            assertTrue(rows > 0 && rows <= 6, "rows=" + rows);
        }
        same(fanOut(new Pull(LOAN, List.of("no such column"), null, List.of())), "select count(*) from loan");
    }

    @Test
    void aValueWhoseTypeTheDriverLeavesOpenIsNotPushed() throws SQLException {
        same(
                fanOut(new Pull(BOOK, List.of(), "seen < ?", List.of(1))),
                "select id from book where seen < ? order by id",
                java.sql.Timestamp.valueOf("2024-01-03 00:00:00"));
    }

    @Test
    void copiesOfOtherServersRowsAreLeftOut() throws SQLException {
        cluster.own("one", 1, 0, "CLOSED", true);
        cluster.sql("one", BOOKS + " and id % 12 = 1");
        cluster.own("two", 3, 0, "CLOSED", true);
        cluster.sql("two", LOANS + " and id % 12 = 3");
        for (String coordinator : List.of("one", "two", "three")) {
            same(
                    fanOut().coordinator(coordinator),
                    "select count(*), count(distinct id), (select count(*) from loan) from book");
        }
    }

    @Test
    void aVirtualShardThatNobodyOwnsEndsInAnErrorAndNotInAnAnswer() throws SQLException {
        cluster.own(cluster.home(4), 4, 1, "CLOSED", false);
        SQLException error = assertThrows(
                SQLException.class,
                () -> fanOut().deadline(Duration.ofMillis(300)).query("select avg(price) from book"));
        assertEquals("08006", error.getSQLState());
        assertTrue(error.getMessage().contains("missing=[4]"), error.getMessage());
        cluster.own(cluster.home(4), 4, 1, "OPEN", false);
    }

    @Test
    void aSearchPathThatPutsTemporaryTablesLastDoesNotHideThem() throws SQLException {
        for (String server : cluster.names()) {
            cluster.sql(
                    server,
                    "do $$ begin execute format('alter database %I set search_path = public, pg_temp',"
                            + " current_database()); end $$");
        }
        try {
            same(fanOut(), "select count(*) from book");
        } finally {
            for (String server : cluster.names()) {
                cluster.sql(
                        server,
                        "do $$ begin execute format('alter database %I reset search_path',"
                                + " current_database()); end $$");
            }
        }
    }

    @Test
    void limitsNameWhatWasSeenAndTheWayOut() throws SQLException {
        for (String coordinator : List.of("one", "three")) {
            SQLException rows = assertThrows(
                    SQLException.class,
                    () -> fanOut().coordinator(coordinator)
                            .pullLimit(599, 1 << 30)
                            .query("select avg(price) from book"));
            assertEquals("54000", rows.getSQLState());
            assertTrue(rows.getMessage().contains("limit=599, seen=600"), rows.getMessage());
            SQLException bytes = assertThrows(
                    SQLException.class,
                    () -> fanOut().coordinator(coordinator)
                            .pullLimit(5_000, 5_000)
                            .query("select avg(price) from book"));
            assertEquals("54000", bytes.getSQLState());
            assertTrue(bytes.getMessage().contains("pullLimit"), bytes.getMessage());
        }
        same(fanOut().pullLimit(1_500, 1 << 30), "select avg(price) from book");
    }

    @Test
    void theQueryCannotWrite() throws SQLException {
        SQLException error = assertThrows(
                SQLException.class,
                () -> fanOut().query("with gone as (delete from public.book returning id) select count(*) from gone"));
        assertEquals("25006", error.getSQLState());
        same(fanOut(), "select count(*) from book");
    }

    @Test
    void errorsNameTheServerAndLeaveNothing() throws SQLException {
        SQLException error = assertThrows(
                SQLException.class,
                () -> fanOut().coordinator("two").query("select missing, avg(id) from book group by missing"));
        assertEquals("42703", error.getSQLState());
        assertTrue(error.getMessage().startsWith("server two: "), error.getMessage());
        error = assertThrows(SQLException.class, () -> {
            try (FanOutResult result = fanOut().fetchSize(5)
                    .query("select 1 / (b.id - 300) from book b, loan where book = b.id order by b.id")) {
                while (result.resultSet().next()) {}
            }
        });
        assertEquals("22012", error.getSQLState());
        assertThrows(SQLException.class, () -> fanOut().coordinator("nowhere").query("select avg(price) from book"));
        error = assertThrows(SQLException.class, () -> fanOut().partial().query("select avg(price) from book"));
        assertEquals("0A000", error.getSQLState());
        cluster.sql("three", "alter table book alter column ratio type numeric");
        error = assertThrows(
                SQLException.class, () -> fanOut().coordinator("one").query("select avg(ratio) from book"));
        assertEquals("42804", error.getSQLState());
    }

    @Test
    void aResultThatIsClosedEarlyLeavesNothing() throws SQLException {
        try (FanOutResult result = fanOut().fetchSize(5).query("select id from book order by title")) {
            assertTrue(result.resultSet().next());
        }
    }

    @Test
    void theDeadlineEndsItWhereverItIs() throws Exception {
        try (Connection blocker = cluster.admin("two")) {
            blocker.setAutoCommit(false);
            execute(blocker, "lock table loan in access exclusive mode");
            for (String coordinator : List.of("one", "two", "three")) {
                SQLException error = assertThrows(
                        SQLTimeoutException.class,
                        () -> fanOut().coordinator(coordinator)
                                .deadline(Duration.ofMillis(400))
                                .query("select avg(days) from loan"));
                assertEquals("57014", error.getSQLState());
            }
            blocker.rollback();
        }
        assertThrows(
                SQLTimeoutException.class,
                () -> fanOut().deadline(Duration.ofMillis(900)).query("select pg_sleep(60) from book"));
    }

    @Test
    void aServerThatDiesWhileItSendsEndsTheQuery() throws Exception {
        try (Connection blocker = cluster.admin("two")) {
            blocker.setAutoCommit(false);
            execute(blocker, "lock table loan in access exclusive mode");
            CompletableFuture<SQLException> failure = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    fanOut().coordinator("one")
                            .query("select avg(days) from loan")
                            .close();
                    failure.complete(new SQLException("answered"));
                } catch (SQLException e) {
                    failure.complete(e);
                }
            });
            caller.start();
            try (Connection killer = cluster.admin("two");
                    Statement statement = killer.createStatement()) {
                Await.until(() -> {
                    try (ResultSet row = statement.executeQuery(
                            "select count(pg_terminate_backend(l.pid)) from pg_locks l where not granted and relation = 'loan'::regclass")) {
                        row.next();
                        return row.getInt(1) == 1;
                    }
                });
            }
            SQLException error = failure.get(20, TimeUnit.SECONDS);
            assertTrue(
                    error.getSQLState().startsWith("57P") || error.getSQLState().startsWith("08"), error.getSQLState());
            assertTrue(error.getMessage().startsWith("server two: "), error.getMessage());
            blocker.rollback();
        }
        same(fanOut(), "select avg(days) from loan");
    }

    @Test
    void manyOnPoolsOfOneConnectionDoNotWaitInACircle() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try (ShardRouter router = cluster.router(1);
                FanOuts small = new FanOuts(router.pools(), CoordinatorTest::everything)) {
            FanOut fanOut = small.over(router.resolver(Cluster.MAP));
            List<Future<Long>> answers = new ArrayList<>();
            for (int thread = 0; thread < 6; thread++) {
                String coordinator = cluster.names().get(thread % 3);
                answers.add(threads.submit(() -> {
                    long sum = 0;
                    for (int i = 0; i < 4; i++) {
                        sum += fanOut.coordinator(coordinator)
                                .query("select count(distinct id) from book", row -> row.getLong(1))
                                .get(0);
                        sum += fanOut.query("select id from book", row -> 1).size();
                    }
                    return sum;
                }));
            }
            for (Future<Long> answer : answers) {
                assertEquals(4 * 1_200L, answer.get(60, TimeUnit.SECONDS));
            }
            assertEquals(0, Cluster.inUse(router));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void rowsAreCountedOnceWhileAVirtualShardMovesBackAndForth() throws Exception {
        CompletableFuture<Void> enough = new CompletableFuture<>();
        Future<Integer> mover = CompletableFuture.supplyAsync(() -> {
            int moves = 0;
            while (!enough.isDone()) {
                try {
                    move(2 + moves, moves % 2 == 0 ? "one" : "two", moves % 2 == 0 ? "two" : "one");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                moves++;
            }
            return moves;
        });
        try {
            for (int i = 0; i < 12; i++) {
                same(
                        fanOut().coordinator(cluster.names().get(i % 3)),
                        "select count(*), count(distinct id), (select sum(days) from loan) from book");
            }
        } finally {
            enough.complete(null);
        }
        assertTrue(mover.get(20, TimeUnit.SECONDS) > 0);
    }

    /** Moves virtual shard 0: announces copies, copies, closes the source, switches the map, opens the target, removes the rows. */
    private void move(int epoch, String from, String to) throws SQLException {
        String lock = "select pg_advisory_xact_lock(1397555201, -1);";
        // Under the lock, as the mover does it: a query that began without the filter has ended before there is a copy.
        cluster.sql(
                to,
                lock + "delete from shardmap.ownership where virtual_shard = 0; insert into shardmap.ownership"
                        + " (map_number, virtual_shard, epoch, state, holds_copies) values (1, 0, " + (epoch - 1)
                        + ", 'CLOSED', true)");
        cluster.sql(to, BOOKS + " and id % 12 = 0");
        cluster.sql(to, LOANS + " and id % 12 = 0");
        String update = "update shardmap.ownership set epoch = " + epoch + ", state = '%s', holds_copies = %s"
                + " where virtual_shard = 0";
        cluster.sql(from, lock + update.replaceFirst("%s", "CLOSED").replaceFirst("%s", "true"));
        cluster.place(0, to, epoch);
        cluster.sql(to, lock + update.replaceFirst("%s", "OPEN").replaceFirst("%s", "false"));
        cluster.sql(from, "delete from book where shard = 0; delete from loan where \"Shard No\" = 0");
        cluster.sql(from, "update shardmap.ownership set holds_copies = false where virtual_shard = 0");
    }
}
