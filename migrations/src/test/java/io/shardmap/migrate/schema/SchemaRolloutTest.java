package io.shardmap.migrate.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.testkit.PostgresServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class SchemaRolloutTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("a", "b");

    private static final String GOOD = "classpath:rollout/good";
    private static final String MORE = "classpath:rollout/more";

    private ServerPools pools;
    private List<Server> all;

    @BeforeEach
    void open() throws SQLException {
        Credentials login =
                new Credentials(servers.get(0).user(), servers.get(0).password());
        pools = new ServerPools(null, server -> login, config -> config.setConnectionTimeout(1_000));
        String fresh = "t" + System.nanoTime();
        all = List.of(
                new Server("a", servers.get("a").createDatabase(fresh)),
                new Server("b", servers.get("b").createDatabase(fresh)));
    }

    @AfterEach
    void close() {
        pools.close();
    }

    private void on(int server, String sql) throws SQLException {
        try (Connection connection = pools.open(all.get(server));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void scriptsReachEveryServerAndTheListenerHearsOfEach() {
        Set<String> heard = new ConcurrentSkipListSet<>();
        RolloutListener listener = new RolloutListener() {
            @Override
            public void finished(ServerOutcome outcome) {
                heard.add(outcome.server());
            }
        };

        List<ServerOutcome> outcomes =
                SchemaRollout.of(pools, GOOD, MORE).withListener(listener).migrate(all);

        assertEquals(
                List.of(
                        new ServerOutcome("a", null, "3", 3, List.of(), null),
                        new ServerOutcome("b", null, "3", 3, List.of(), null)),
                outcomes);
        assertEquals(Set.of("a", "b"), heard);
        ServerOutcome again = SchemaRollout.of(pools, GOOD, MORE).migrate(all).get(0);
        assertEquals(new ServerOutcome("a", "3", "3", 0, List.of(), null), again);
        assertTrue(again.isUpToDate());
    }

    @Test
    void statusAndDryRunChangeNothing() throws SQLException {
        SchemaRollout.of(pools, GOOD).migrate(List.of(all.get(0)));
        SchemaRollout rollout = SchemaRollout.of(pools, GOOD, MORE);

        List<ServerOutcome> status = rollout.status(all);

        assertEquals(new ServerOutcome("a", "1", "1", 0, List.of("2 title", "3 index"), null), status.get(0));
        assertEquals(List.of("1 book", "2 title", "3 index"), status.get(1).pending());
        assertNull(status.get(1).after());
        assertEquals(status, rollout.dryRun(all));
        on(1, "create table flyway_schema_history (must_not int)");
    }

    @Test
    void aServerThatFailsOrDoesNotAnswerStopsNoOther() throws SQLException {
        on(0, "create table other (x int); create index book_by_title on other (x)");
        Server dead = new Server("dead", "jdbc:postgresql://127.0.0.1:1/nosuch");

        List<ServerOutcome> outcomes = SchemaRollout.of(pools, GOOD, MORE)
                .withFlyway(flyway -> flyway.baselineOnMigrate(true).baselineVersion("0"))
                .withParallelism(1)
                .migrate(List.of(dead, all.get(0), all.get(1)));

        assertFalse(outcomes.get(0).isGood());
        ServerOutcome failed = outcomes.get(1);
        assertFalse(failed.isGood());
        assertTrue(String.valueOf(failed.error()).contains("book_by_title"), failed.error());
        assertEquals("2", failed.after());
        assertEquals(2, failed.applied());
        assertEquals(List.of("3 index"), failed.pending());
        assertEquals("3", outcomes.get(2).after());
    }

    @Test
    void aScriptThatFailedHalfWayIsNotTakenForApplied(@TempDir Path scripts) throws Exception {
        Files.writeString(scripts.resolve("V1__half.sql"), "create table half (x int); create table half (x int);");
        Server h2 = new Server("h", "jdbc:h2:mem:half;DB_CLOSE_DELAY=-1");
        try (ServerPools own = new ServerPools(null, server -> Credentials.NONE, pool -> {})) {
            SchemaRollout rollout = SchemaRollout.of(own, "filesystem:" + scripts);

            assertFalse(rollout.migrate(List.of(h2)).get(0).isGood());

            ServerOutcome status = rollout.status(List.of(h2)).get(0);
            assertFalse(status.isUpToDate(), status.toString());
            assertTrue(String.valueOf(status.error()).contains("version=1"), status.error());
        }
    }
}
