package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.routed.RoutingMode;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Queries over three servers beside the same queries sent by hand in parallel, whose results are not merged; a join across shards beside
 * the join in one database that holds all rows.
 *
 * @param rounds how the contenders take turns
 * @param rows rows of the table that is scanned
 */
record QueryBench(Rounds rounds, int rows) implements Bench {
    private static final String SORTED = "select id, shard, title from book order by id";
    private static final String COUNT = "select count(*) from book where category < 500";
    private static final String GROUPS = "select category, count(*), sum(id), max(printed) from book group by category";
    private static final String TOP = "select id, shard, title from book order by printed desc, id limit 10";
    private static final String JOIN =
            "select w.category, count(*), avg(l.days) from work w join loan l on l.work = w.id"
                    + " where w.category < 900 group by w.category order by w.category";
    private static final int WORKS = 100_000;
    private static final int LOANS = 10_000;
    private static final int PLANS = 1_000;
    private static final double NANOS_PER_MICRO = 1_000;

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        try (PostgresServers servers = PostgresServers.start("ds_0", "ds_1", "ds_2", "all")) {
            List<PostgresServer> shards = servers.all().subList(0, 3);
            PostgresServer all = servers.get("all");
            Cluster cluster = new Cluster(
                    shards.stream().map(PostgresServer::jdbcUrl).toList(),
                    all.user(),
                    all.password(),
                    List.of("book", "work", "loan"));
            cluster.fill(this::fill);
            try (ShardRouter router = cluster.router(RoutingMode.STRICT);
                    Cluster.Pools pools = cluster.pools();
                    ByHand byHand = new ByHand(pools);
                    Connection single = all.openConnection()) {
                fill(single, 0, 1);
                compare(router.fanOut(Cluster.MAP), byHand, single, lines);
            }
        }
    }

    private void compare(FanOut fanOut, ByHand byHand, Connection single, Consumer<BenchLine> lines) throws Exception {
        Comparison comparison = new Comparison(rounds, lines);
        parallel("query-sorted-scan", 1.4, SORTED, fanOut, byHand, comparison);
        parallel("query-count", 1.2, COUNT, fanOut, byHand, comparison);
        grouped("query-group-by", fanOut, byHand, comparison);
        comparison.run(
                "query-top10",
                1.3,
                () -> () -> ours(fanOut, TOP) > 0 ? 1 : 0,
                () -> () -> raw(byHand, TOP) > 0 ? 1 : 0,
                null);
        comparison.run(
                "query-join-coordinator", 4, () -> () -> ours(fanOut, JOIN), () -> () -> one(single, JOIN), null);
        plans(fanOut, lines);
    }

    private static void parallel(
            String name, double target, String sql, FanOut fanOut, ByHand byHand, Comparison comparison)
            throws Exception {
        comparison.run(name, target, () -> () -> ours(fanOut, sql), () -> () -> raw(byHand, sql), null);
    }

    /** Each server gives all groups, so what is read by hand has three times the rows; their sums are the same. */
    private static void grouped(String name, FanOut fanOut, ByHand byHand, Comparison comparison) throws Exception {
        comparison.run(
                name,
                1.2,
                () -> () -> counts(fanOut),
                () -> () -> byHand.query(GROUPS, QueryBench::counts).stream()
                        .mapToLong(Long::longValue)
                        .sum(),
                null);
    }

    private static long counts(FanOut fanOut) throws SQLException {
        try (FanOutResult result = fanOut.query(GROUPS)) {
            return counts(result.resultSet());
        }
    }

    private static long counts(ResultSet groups) throws SQLException {
        long sum = 0;
        while (groups.next()) {
            sum += groups.getLong(2) + groups.getLong(3);
            groups.getTimestamp(4);
        }
        return sum;
    }

    /** A plan that is known is found again; raw is a look-up in a map. */
    private void plans(FanOut fanOut, Consumer<BenchLine> lines) throws Exception {
        Progress.say("query-plan-cached");
        Map<String, Integer> plans = new ConcurrentHashMap<>(Map.of(GROUPS, 1));
        Work ours = () -> {
            long found = 0;
            for (int i = 0; i < PLANS; i++) {
                found += fanOut.explain(GROUPS).sql().length();
            }
            return found;
        };
        Work raw = () -> {
            long found = 0;
            for (int i = 0; i < PLANS; i++) {
                found += plans.getOrDefault(GROUPS, 0) * GROUPS.length();
            }
            return found;
        };
        Map<String, Double> nanos =
                rounds.measure(List.of(new Contender("raw", () -> raw), new Contender("ours", () -> ours)));
        lines.accept(BenchLine.ofValue(
                "query-plan-cached",
                "us",
                nanos.getOrDefault("ours", Double.NaN) / PLANS / NANOS_PER_MICRO,
                nanos.getOrDefault("raw", Double.NaN) / PLANS / NANOS_PER_MICRO,
                5,
                null));
    }

    private static long ours(FanOut fanOut, String sql) throws SQLException {
        try (FanOutResult result = fanOut.query(sql)) {
            return sum(result.resultSet());
        }
    }

    private static long raw(ByHand byHand, String sql) throws Exception {
        return byHand.query(sql, QueryBench::sum).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static long one(Connection database, String sql) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            return sum(rows);
        }
    }

    /** Reads all columns of all rows, as an application would. */
    private static long sum(ResultSet rows) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        long sum = 0;
        while (rows.next()) {
            sum += rows.getLong(1);
            for (int column = 2; column <= columns; column++) {
                String text = rows.getString(column);
                sum += text == null ? 0 : text.length();
            }
        }
        return sum;
    }

    private void fill(Connection connection, int server, int servers) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String every = server + ", %d, " + servers + ") id";
            statement.execute(
                    "create table book (id int primary key, shard int not null, category int, title varchar(80),"
                            + " printed timestamp); create table work (id int primary key, shard int not null, category int);"
                            + " create table loan (id int primary key, shard int not null, work int not null, days int)");
            statement.execute("insert into book select id, id % " + Cluster.VIRTUAL_SHARDS
                    + ", id / 7 % 1000, 'The book of number ' || id,"
                    + " timestamp '2026-11-30' - id % 100000 * interval '1 minute' from generate_series("
                    + every.replace("%d", String.valueOf(rows - 1)));
            statement.execute("insert into work select id, id % " + Cluster.VIRTUAL_SHARDS
                    + ", id / 7 % 1000 from generate_series(" + every.replace("%d", String.valueOf(WORKS - 1)));
            statement.execute("insert into loan select id, id % " + Cluster.VIRTUAL_SHARDS + ", id * 7919 % " + WORKS
                    + ", id % 30 from generate_series(" + every.replace("%d", String.valueOf(LOANS - 1)));
            statement.execute("vacuum analyze");
        }
    }
}
