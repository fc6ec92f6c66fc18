package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Moves that keep a way back, as people, scripts and cron see them: started, shown, taken back, completed, guarded, examined. */
class ReversibleVerbsTest {
    private static final int ROWS = 20;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("wal_retrieve_retry_interval", "200ms")
            .build();

    private static CommandLineUser user;

    @BeforeAll
    static void build() throws SQLException {
        user = new CommandLineUser()
                .with("SHARDMAP_MAP_URL", servers.get("map").jdbcUrl())
                .with("SHARDMAP_MAP_USER", servers.get("map").user())
                .with("SHARDMAP_MAP_PASSWORD", String.valueOf(servers.get("map").password()))
                .with("SHARDMAP_SERVER_USER", servers.get("a").user())
                .with(
                        "SHARDMAP_SERVER_PASSWORD",
                        String.valueOf(servers.get("a").password()));
        user.done("init");
        for (String name : List.of("a", "b")) {
            user.done("server add " + name + " --url " + servers.get(name).jdbcUrl());
            on(name, "create table item (vs int, id bigint, primary key (vs, id))");
        }
        user.done("map create items --key-type long --function mod:12");
        user.done("table add item --column vs");
        user.done("shard assign 0-11 --server a");
        on("a", "insert into item select vs, id from generate_series(0, 11) vs, generate_series(1, " + ROWS + ") id");
    }

    private static void on(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static String rows(String server, int shard) throws SQLException {
        return ask(server, "select count(*) from item where vs = " + shard);
    }

    /** Writes as an application does that asked the map. */
    private static void write(String server, int shard, int id) throws SQLException {
        String epoch = user.done("shard list -o json")
                .json()
                .get("virtualShards")
                .get(shard)
                .get("epoch")
                .asString();
        on(
                server,
                "begin; select shardmap.enter(1, " + shard + ", " + epoch + "); insert into item values (" + shard
                        + ", " + id + "); commit");
    }

    /** Starts a move to b that keeps a way back; returns its number. */
    private static String start(int shard, String... more) {
        String line = "move start " + shard + " --to b --reversible --grace 1s -o json " + String.join(" ", more);
        JsonNode move = user.done(line.strip()).json().get("move");
        assertEquals("REVERSIBLE", move.get("state").asString());
        return move.get("id").asString();
    }

    private static void assertWell() {
        CommandLineUser.Result result = user.run("doctor");
        assertEquals("examined 1 map on 2 servers: all is well\n", result.out());
        assertEquals(0, result.exit());
    }

    private static List<String> findings() {
        CommandLineUser.Result result = user.run("doctor", "-o", "json").ended(3);
        return result.json()
                .at("/examination/findings")
                .valueStream()
                .map(finding -> finding.get("rule").asString() + " "
                        + finding.get("where").asString() + ": "
                        + finding.get("remedy").asString())
                .toList();
    }

    private static String part(String server, String table, String column, String id) throws SQLException {
        return ask(
                server,
                "select " + column + " from " + table + " where " + column + " like 'shardmap_back_" + id + "_%'");
    }

    @Test
    void aMoveIsStartedShownAndTakenBack() throws SQLException {
        CommandLineUser.Result plan = user.done("move plan 0 --to b --reversible");
        assertTrue(plan.out().contains("method online, with a way back"), plan.out());
        assertTrue(user.done("move plan 0 --to b --reversible -o json")
                .json()
                .at("/plan/reversible")
                .asBoolean());

        CommandLineUser.Result started = user.done("move start 0 --to b --reversible --grace 1s");
        assertTrue(started.out().endsWith("is REVERSIBLE\n"), started.out());
        String id = started.out().split(" ")[1];
        String next = "shardmap move reverse " + id + ", or shardmap move complete " + id;
        assertTrue(started.err().contains("next: " + next), started.err());
        JsonNode listed = user.done("move list --waiting -o json").json().at("/moves/0");
        assertEquals(next, listed.get("next").asString());
        assertTrue(user.done("move list --active").err().contains(next));
        assertEquals(0, user.run("move", "wait", id).exit(), "it waits for no mover");
        assertEquals(0, user.run("move", "status", id, "--watch", "-q").exit());
        JsonNode status = user.done("move status " + id + " -o json").json().get("move");
        assertEquals(next, status.get("next").asString());
        assertTrue(status.get("wayBackLimitBytes").asLong() == 10_000_000_000L, status::toString);
        assertTrue(status.get("wayBackKeptBytes").asLong() > 0, status::toString);
        assertTrue(status.get("wayBackFault").isNull(), status::toString);
        CommandLineUser.Result again =
                user.run("move", "plan", "0", "--to", "a").ended(1);
        assertTrue(again.err().contains("run `shardmap move complete " + id), again.err());
        assertWell();
        write("b", 0, 100);

        assertTrue(user.done("move reverse " + id + " --dry-run").out().startsWith("dry run: would take back to a"));
        CommandLineUser.Result reversed = user.done("move reverse " + id);
        assertTrue(reversed.out().endsWith("is REVERSED\n"), reversed.out());
        assertEquals("" + (ROWS + 1), rows("a", 0));
        assertEquals("0", rows("b", 0));
        assertTrue(user.done("move reverse " + id).out().endsWith("is REVERSED\n"), "again changes nothing");
        assertTrue(user.done("move reverse " + id + " --dry-run").out().startsWith("dry run: nothing to do"));
        CommandLineUser.Result refused = user.run("move", "complete", id).ended(1);
        assertTrue(refused.err().contains("[NOT_SUPPORTED]"), refused.err());
        assertWell();

        // Right after it was taken back it moves for good, and right after that it moves back.
        user.done("move start 0 --to b --method online --grace 1s");
        user.done("move start 0 --to a --method online --grace 1s");
        assertEquals("" + (ROWS + 1), rows("a", 0));
        assertWell();
    }

    @Test
    void aMoveIsCompleted() throws SQLException {
        String id = start(1);
        write("b", 1, 100);

        assertTrue(user.done("move complete " + id + " --dry-run")
                .out()
                .startsWith("dry run: would remove the rows from a"));
        JsonNode done = user.done("move complete " + id + " -o json").json().get("move");

        assertEquals("DONE", done.get("state").asString());
        assertTrue(done.get("next").isNull());
        assertEquals("" + (ROWS + 1), rows("b", 1));
        assertEquals("0", rows("a", 1));
        user.done("move complete " + id);
        assertTrue(user.run("move", "reverse", id).ended(1).err().contains("move the virtual shard back"));
        assertWell();
    }

    @Test
    void theMethodThatKeepsNoWayBackIsRefused() {
        CommandLineUser.Result refused = user.run(
                        "move", "start", "2", "--to", "b", "--reversible", "--method", "portable")
                .ended(2);
        assertTrue(refused.err().contains("--method online"), refused.err());
        assertEquals(2, user.run("move", "guard").exit());
        assertEquals(2, user.run("move", "guard", "1", "--all").exit());
    }

    @Test
    void cronFreesAServerOfAWayBackThatCostsTooMuch() throws SQLException {
        String id = start(3, "--wal-limit", "1MB");
        assertEquals(
                "REVERSIBLE",
                user.done("move guard " + id + " -o json")
                        .json()
                        .at("/moves/0/state")
                        .asString());
        on("a", "alter subscription " + part("a", "pg_subscription", "subname", id) + " disable");
        assertEquals(
                List.of("WAY_BACK server a: to have it read again, on the server run: alter subscription "
                        + part("a", "pg_subscription", "subname", id) + " enable"),
                findings());
        on("b", "select pg_logical_emit_message(true, 'test', repeat('x', 2000000)), pg_switch_wal()");
        assertTrue(
                findings()
                        .contains("WAY_BACK server b: shardmap move guard " + id + ", or shardmap move reverse " + id),
                () -> findings().toString());
        assertTrue(
                user.run("move", "guard", "--all", "--dry-run").ended(3).err().contains("would give the way back up"));

        CommandLineUser.Result guarded =
                user.run("move", "guard", "--all", "-o", "json").ended(3);

        JsonNode row = guarded.json()
                .get("moves")
                .valueStream()
                .filter(move -> move.get("move").asString().equals(id))
                .findFirst()
                .orElseThrow();
        assertEquals("IRREVERSIBLE", row.get("state").asString());
        assertTrue(row.get("fault").asString().contains("limit=1000000"), row::toString);
        assertEquals(0, user.run("move", "guard", "--all").exit(), "said once");
        assertEquals(5, user.run("move", "wait", id).exit());
        assertTrue(user.done("move status " + id).err().contains("next: shardmap move complete " + id));
        assertEquals(List.of("WAY_BACK move " + id + " of items/3: shardmap move complete " + id), findings());
        user.done("move complete " + id);
        assertWell();
    }

    @Test
    void theDoctorFindsWaysBackThatAreLost() throws SQLException {
        String withoutSlot = start(4);
        String slot = part("b", "pg_replication_slots", "slot_name", withoutSlot);
        on("a", "alter subscription " + slot + " disable");
        on(
                "b",
                "select pg_terminate_backend(active_pid, 60000) from pg_replication_slots where slot_name = '" + slot
                        + "'");
        on("b", "select pg_drop_replication_slot('" + slot + "')");
        assertTrue(
                findings().contains("WAY_BACK server b: shardmap move guard " + withoutSlot),
                () -> findings().toString());
        user.run("move", "guard", withoutSlot).ended(3);
        user.done("move complete " + withoutSlot);

        String withoutPublication = start(5);
        on("b", "drop publication " + part("b", "pg_publication", "pubname", withoutPublication));
        assertTrue(
                findings().contains("WAY_BACK server b: shardmap move guard " + withoutPublication),
                () -> findings().toString());
        user.run("move", "guard", withoutPublication).ended(3);
        user.done("move complete " + withoutPublication);

        String withoutSubscription = start(6);
        String subscription = part("a", "pg_subscription", "subname", withoutSubscription);
        on("a", "alter subscription " + subscription + " disable");
        on("a", "alter subscription " + subscription + " set (slot_name = none)");
        on("a", "drop subscription " + subscription);
        assertTrue(
                findings().contains("WAY_BACK server a: shardmap move complete " + withoutSubscription),
                () -> findings().toString());
        CommandLineUser.Result reversal =
                user.run("move", "reverse", withoutSubscription).ended(1);
        assertTrue(reversal.err().contains("subscription must be there"), reversal.err());
        user.done("move complete " + withoutSubscription);
        assertWell();
    }

    /** A row on the old server is in the way of the stream, until somebody removes it. */
    @Test
    void theDoctorFindsAStreamBackThatIsRefusedAndForgetsWhatIsMended() throws SQLException {
        String id = start(8);
        on("a", "set session_replication_role = replica; insert into item values (8, 100)");
        write("b", 8, 100);
        awaitDoctor("shardmap move complete " + id);

        on("a", "set session_replication_role = replica; delete from item where vs = 8 and id = 100");
        awaitDoctor("all is well");
        user.done("move reverse " + id + " -q");
        assertEquals("" + (ROWS + 1), rows("a", 8));
        assertWell();
    }

    private static void awaitDoctor(String says) {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        String said;
        do {
            said = user.run("doctor").out();
        } while (!said.contains(says) && System.nanoTime() < deadline);
        assertTrue(said.contains(says), said);
    }

    @Test
    void aDrainSaysWhatToDoWithMovesThatWait() throws SQLException {
        user.done("server drain b --to a --grace 1s");
        String id = start(7);
        for (String server : List.of("a", "b")) {
            CommandLineUser.Result planned =
                    user.run("server", "drain", server, "--dry-run").ended(1);
            assertTrue(planned.err().contains("shardmap move complete " + id), planned.err());
        }
        CommandLineUser.Result drained = user.run("server", "drain", "b", "--to", "a", "--grace", "1s", "-o", "json")
                .ended(1);
        assertEquals(1, drained.json().at("/drain/left").asInt());
        assertTrue(drained.err().contains("shardmap move reverse " + id), drained.err());
        user.done("move complete " + id);
        user.done("server drain b --to a --grace 1s");
        assertEquals("" + ROWS, rows("a", 7));
        assertWell();
    }
}
