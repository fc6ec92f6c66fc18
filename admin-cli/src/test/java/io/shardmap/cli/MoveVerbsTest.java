package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Moves as people and programs start, watch and queue them; and servers that are drained. */
class MoveVerbsTest {
    private static final int ROWS = 3_000;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b", "c");

    private static CommandLineUser user;

    @BeforeAll
    static void build() throws SQLException {
        user = user();
        user.done("init");
        for (String name : List.of("a", "b", "c")) {
            user.done("server add " + name + " --url " + servers.get(name).jdbcUrl());
            try (Connection connection = servers.get(name).openConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table item (vs int, id bigint, note text, primary key (vs, id))");
            }
        }
        theReplicationAddressIsKept();
        user.done("map create items --key-type long --function mod:8");
        user.done("table add item --column vs");
        user.done("shard assign 0-7 --server a");
        try (Connection connection = servers.get("a").openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into item select vs, id, repeat('x', 500) from generate_series(0, 7) vs,"
                    + " generate_series(1, " + ROWS + ") id");
        }
    }

    private static void theReplicationAddressIsKept() {
        String add = "server add b --url " + servers.get("b").jdbcUrl();
        String internal = servers.get("b").jdbcUrl().replace("127.0.0.1", "localhost");
        user.done(add + " --replication-url " + internal + " --region north");
        user.done(add);
        JsonNode shown = user.done("server show b -o json").json().get("server");
        assertEquals(internal, shown.get("replicationUrl").asString());
        assertEquals("north", shown.get("region").asString());
        user.run("server", "add", "b", "--url", servers.get("b").jdbcUrl(), "--replication-url", "", "--region", "")
                .ended(0);
        assertTrue(user.done("server show b -o json")
                .json()
                .at("/server/replicationUrl")
                .isNull());
    }

    private static CommandLineUser user() {
        return new CommandLineUser()
                .with("SHARDMAP_MAP_URL", servers.get("map").jdbcUrl())
                .with("SHARDMAP_MAP_USER", servers.get("map").user())
                .with("SHARDMAP_MAP_PASSWORD", String.valueOf(servers.get("map").password()))
                .with("SHARDMAP_SERVER_USER", servers.get("a").user())
                .with(
                        "SHARDMAP_SERVER_PASSWORD",
                        String.valueOf(servers.get("a").password()));
    }

    private static long rows(String server) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from item")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void movesArePlannedRunWatchedAndServersDrained() throws Exception {
        plan();
        startSeveral();
        watchFromElsewhere();
        bar();
        drainKilledInTheMiddle();
    }

    private static void plan() {
        JsonNode plan =
                user.done("move plan 3 --to b --method online -o json").json().get("plan");
        assertEquals(ROWS, plan.get("rows").asInt());
        assertTrue(plan.get("bytes").asLong() > 500L * ROWS, plan::toString);
        assertTrue(plan.get("seconds").asLong() >= 5, plan::toString);
        assertEquals("ONLINE", plan.get("method").asString());
        assertEquals(0, plan.get("problems").size());
        String people = user.done("move plan 3 --to b").out();
        assertTrue(people.contains("rows:      3,000") && people.contains("assumed until"), people);

        CommandLineUser.Result refused =
                user.run("move", "plan", "2,3", "--to", "a", "-o", "json").ended(1);
        assertEquals(
                "SAME_SERVER", refused.json().at("/plans/0/problems/0/kind").asString());
        assertTrue(refused.err().contains("[PREFLIGHT]\n  SAME_SERVER"), refused.err());
        assertEquals(0, user.done("move list -o json").json().get("moves").size(), "nothing was recorded");
    }

    private static void startSeveral() throws SQLException {
        CommandLineUser.Result refused =
                user.run("move", "start", "0-9", "--to", "b").ended(1);
        assertTrue(refused.err().contains("virtual shard must be one of the map's"), refused.err());

        CommandLineUser.Result moved = user.run(
                        "move",
                        "start",
                        "0,1,2",
                        "--to",
                        "b",
                        "--at-most",
                        "2",
                        "--grace",
                        "1s",
                        "--method",
                        "online",
                        "-o",
                        "json")
                .ended(0);
        assertEquals(3, moved.json().get("moves").size());
        List<JsonNode> lines = moved.err()
                .lines()
                .map(line -> JsonMapper.shared().readTree(line).get("progress"))
                .toList();
        assertTrue(lines.stream().anyMatch(line -> line.get("state").asString().equals("CATCHING_UP")));
        assertTrue(lines.stream().anyMatch(line -> line.path("rows").asInt() == ROWS), moved.err());
        assertEquals(3 * ROWS, rows("b"));
        JsonNode status = user.done("move status 1 -o json").json().get("move");
        assertEquals(ROWS, status.get("rows").asInt());
        assertEquals(ROWS, status.get("totalRows").asInt());
        assertTrue(status.get("bytesPerSecond").asLong() > 0, status::toString);
        assertTrue(status.has("lagBytes"), status::toString);
        assertTrue(user.done("move plan 3 --to b").out().contains("as in the latest 3 moves"));
    }

    private static void watchFromElsewhere() {
        CommandLineUser.Result recorded = user.run(
                        "move", "start", "3", "--to", "b", "--no-wait", "--grace", "3s", "-o", "json")
                .ended(0);
        String id = recorded.json().at("/move/id").asString();
        assertEquals(5, user.run("move", "wait", id).exit(), "nobody works on it");
        CompletableFuture<CommandLineUser.Result> mover =
                CompletableFuture.supplyAsync(() -> user().run("move", "resume", id));
        CommandLineUser.Result watched;
        do {
            watched = user.run("move", "wait", id, "-o", "json");
        } while (watched.exit() == 5 && !mover.isDone());
        assertEquals(0, watched.exit(), watched.err());
        assertEquals("DONE", watched.json().at("/moves/0/state").asString());
        assertTrue(watched.err().contains("\"state\":\"CLEANING\""), watched.err());
        assertEquals(0, mover.join().exit());
        assertEquals(0, user.run("move", "status", id, "--watch", "--quiet").exit());
    }

    private static void bar() {
        CommandLineUser.Result moved = user().answering("")
                .run("move", "start", "3", "--to", "a", "--grace", "1s")
                .ended(0);
        assertTrue(moved.err().contains(": COPYING\n"), moved.err());
        assertTrue(moved.err().contains("[####################] 100 % 3,000 of 3,000 rows, 1.5 MB"), moved.err());
        assertFalse(moved.err().contains("{"), moved.err());
    }

    private static void drainKilledInTheMiddle() throws IOException, InterruptedException, SQLException {
        assertEquals(
                5,
                user.done("server drain a --dry-run -o json")
                        .json()
                        .get("steps")
                        .size());
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.shardmap.cli.Shardmap",
                "server",
                "drain",
                "a",
                "--grace",
                "1s",
                "--lease",
                "2s",
                "--at-most",
                "1",
                "--progress",
                "json");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(user.environment());
        Process drain = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        int switched = 0;
        try (BufferedReader err = drain.errorReader()) {
            String line = err.readLine();
            while (line != null && switched < 2) {
                switched += line.contains("\"state\":\"SWITCHED\"") ? 1 : 0;
                line = err.readLine();
            }
            drain.destroyForcibly().waitFor();
        }
        assertEquals(2, switched, "killed while the second of five virtual shards changes server");
        assertTrue(rows("a") > 0);

        CommandLineUser.Result rest =
                user.run("server", "drain", "a", "--grace", "1s", "-o", "json").ended(0);
        assertTrue(rest.json().at("/drain/empty").asBoolean(), rest.out());
        assertEquals(0, rows("a"));
        assertEquals(8 * ROWS, rows("b") + rows("c"));
        assertTrue(rows("c") >= 4 * ROWS, "the emptier server took more");
        assertEquals(
                0,
                user.run("server", "drain", "a", "-o", "json")
                        .ended(0)
                        .json()
                        .at("/drain/moved")
                        .asInt());
        assertEquals(0, user.run("doctor").exit());
    }
}
