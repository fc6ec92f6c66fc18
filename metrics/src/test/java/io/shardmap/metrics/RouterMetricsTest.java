package io.shardmap.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardmap.frameworks.ShardedBooks;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.Moves;
import io.shardmap.resolve.ShardMapCacheConfig;
import io.shardmap.testkit.PostgresServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What meters a router and a move leave behind, and that the dashboard shows only such meters. */
@Timeout(180)
class RouterMetricsTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "left", "right");

    private static final Path DASHBOARD = Path.of("..", "docs", "grafana", "shardmap.json");
    private static final Pattern METRIC = Pattern.compile("\\b(shardmap|hikaricp)_[a-z_]+");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private ShardedBooks books;
    private ShardRouter router;

    @BeforeEach
    void open() throws SQLException {
        books = new ShardedBooks(servers);
        // Only what the test does makes the router look at the map again.
        router = RouterMetrics.build(
                books.router().cache(ShardMapCacheConfig.defaults().withRefreshInterval(Duration.ofHours(1))),
                registry);
    }

    @AfterEach
    void close() {
        router.close();
        books.close();
        registry.close();
    }

    private double value(String name, String... tags) {
        Meter meter = registry.get(name).tags(tags).meter();
        return meter.measure().iterator().next().getValue();
    }

    private void insert(int id, int digit) throws SQLException {
        try (Connection connection = router.openConnection(ShardedBooks.MAP, digit);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into book values (" + id + ", " + digit + ", 'x')");
        }
    }

    private void work() throws SQLException {
        insert(1, 6);
        insert(2, 7);
        try (FanOutResult result = router.fanOut(ShardedBooks.MAP).query("select id from book")) {
            while (result.resultSet().next()) {
                assertEquals(1, value("shardmap.fanout.active", "map", "books"));
            }
        }
        assertThrows(SQLException.class, () -> router.fanOut(ShardedBooks.MAP).query("select nothing from book"));
        assertThrows(
                SQLException.class, () -> router.dataSource(ShardedBooks.MAP).getConnection());
        assertThrows(SQLException.class, () -> router.openConnection(ShardedBooks.MAP, 99));
    }

    private void move(MoveMetrics meters) {
        Moves moves = Moves.of(books.store(), books.admin()).withListener(meters);
        assertEquals(
                MoveState.DONE,
                moves.run(moves.start(
                                ShardedBooks.MAP, 6, "right", MoveOptions.DEFAULT.withGrace(Duration.ofSeconds(1))))
                        .state());
    }

    @Test
    void aRouterCountsRoutesPoolsRefreshesRefusalsAndQueries() throws SQLException {
        work();
        assertEquals(1, value("shardmap.resolve", "map", "books", "outcome", "miss"));
        assertEquals(2, value("shardmap.resolve", "map", "books", "outcome", "hit"));
        assertEquals(1, value("shardmap.resolve", "map", "books", "outcome", "error"));
        assertEquals(1, value("shardmap.key.missing", "map", "books"));
        assertEquals(1, value("shardmap.map.refresh", "outcome", "success"));
        assertEquals(books.store().load("books").generation(), value("shardmap.map.version", "map", "books"));
        assertTrue(value("shardmap.map.age") > 0);
        assertEquals(5, value("shardmap.shards", "map", "books", "server", "left", "state", "assigned"));
        assertEquals(5, value("shardmap.shards", "map", "books", "server", "right", "state", "assigned"));
        assertTrue(value("shardmap.connections.acquire", "server", "left", "outcome", "success") >= 2);
        assertEquals(1, value("shardmap.server.up", "server", "right"));
        assertEquals(1, value("shardmap.fanout", "map", "books", "outcome", "success"));
        assertEquals(1, value("shardmap.fanout", "map", "books", "outcome", "error"));
        assertEquals(0, value("shardmap.fanout.active", "map", "books"));
        assertEquals(1, registry.get("shardmap.fanout.shards").summary().count());
        assertEquals(2, registry.get("shardmap.fanout.shards").summary().totalAmount());
        assertEquals(2, registry.get("shardmap.fanout.rows").summary().totalAmount());
        assertEquals(
                1,
                registry.get("shardmap.fanout.shard.rows")
                        .tag("server", "left")
                        .summary()
                        .totalAmount());
        assertEquals(1, value("shardmap.fanout.shard", "map", "books", "server", "left", "outcome", "success"));
        assertEquals(10, value("hikaricp.connections.max", "pool", "shardmap-left"));
    }

    @Test
    void aMoveCountsItsRowsAndARouterTheRefusalAfterIt() throws SQLException {
        work();
        move(new MoveMetrics(registry));
        assertEquals(1, value("shardmap.move.rows", "source", "left", "target", "right"));
        assertTrue(value("shardmap.move.bytes", "source", "left", "target", "right") > 0);
        assertEquals(1, value("shardmap.moves", "source", "left", "target", "right", "state", "done"));
        assertTrue(registry.find("shardmap.move.active").meters().isEmpty(), "it is over");

        insert(3, 6);
        assertEquals(1, value("shardmap.refusals", "map", "books", "server", "left", "reason", "stale"));
        assertEquals(1, value("shardmap.resolve", "map", "books", "outcome", "stale"));
        assertEquals(2, books.count("left") + books.count("right") - 1);
    }

    @Test
    void aServerThatIsAwayShowsAndCountsAsTimeout() throws SQLException {
        try (ShardRouter impatient = RouterMetrics.build(
                books.router().pool(pool -> {
                    pool.setConnectionTimeout(250);
                    pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/nothing");
                }),
                registry)) {
            try (Connection connection = impatient.openConnection(ShardedBooks.MAP, 6);
                    Statement statement = connection.createStatement()) {
                assertThrows(SQLException.class, () -> statement.execute("select 1"));
            }
            assertEquals(0, value("shardmap.server.up", "server", "left"));
            assertTrue(value("shardmap.connections.acquire", "server", "left", "outcome", "timeout") >= 1);
        }
    }

    @Test
    void noMeterIsTaggedByKey() throws SQLException {
        work();
        move(new MoveMetrics(registry));
        insert(3, 6);
        Set<String> tags = new TreeSet<>();
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("shardmap."))
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(Tag::getKey)
                .forEach(tags::add);
        assertEquals(
                Set.of("map", "server", "outcome", "reason", "state", "source", "target"),
                tags,
                "names of maps and servers, and words");
    }

    @Test
    void theDashboardShowsOnlyMetricsThatExist() throws SQLException, IOException {
        work();
        MoveMetrics unfinished = new MoveMetrics(registry);
        Moves moves = Moves.of(books.store(), books.admin());
        unfinished.entered(moves.status(moves.start(ShardedBooks.MAP, 8, "right", MoveOptions.DEFAULT)));
        move(unfinished);
        insert(3, 6);

        String scrape = registry.scrape();
        Set<String> shown = new TreeSet<>();
        collect(new ObjectMapper().readTree(Files.readString(DASHBOARD)), shown);
        assertFalse(shown.isEmpty());
        assertTrue(shown.size() >= 15, shown.toString());
        for (String metric : shown) {
            assertTrue(
                    Pattern.compile("(?m)^" + metric + "[ {]").matcher(scrape).find(),
                    () -> "dashboard shows a metric that does not exist: " + metric + "\n" + scrape);
        }
    }

    private static void collect(JsonNode node, Set<String> metrics) {
        if (node.has("expr")) {
            Matcher matcher = METRIC.matcher(node.get("expr").asString());
            while (matcher.find()) {
                metrics.add(matcher.group());
            }
        }
        node.forEach(child -> collect(child, metrics));
    }
}
