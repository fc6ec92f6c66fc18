package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.CrashPoint;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.OnlineOptions;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Every fault is made on real servers, found by its name, and mended by the very command that the finding names. */
class DoctorTest {
    private static final MoveOptions QUICK = MoveOptions.DEFAULT
            .withOnline(OnlineOptions.DEFAULT)
            .withFence(Duration.ofSeconds(1))
            .withGrace(Duration.ofSeconds(1))
            .withLease(Duration.ofSeconds(1));

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b", "other");

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
        on("a", "insert into item select vs, id from generate_series(0, 11) vs, generate_series(1, 20) id");
    }

    @BeforeEach
    @AfterEach
    void allIsWell() throws SQLException {
        CommandLineUser.Result result = user.run("doctor");
        assertEquals(0, result.exit(), result.out());
        assertEquals("examined 1 map on 2 servers: all is well\n", result.out());
        assertEquals(240, count("a"), "no row was lost on the way");
    }

    private static void on(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(String server) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from item")) {
            row.next();
            return row.getLong(1);
        }
    }

    private record Found(String rule, String where, String remedy) {}

    private static List<Found> examine() {
        CommandLineUser.Result result = user.run("doctor", "-o", "json");
        List<Found> findings = new ArrayList<>();
        for (JsonNode finding : result.json().at("/examination/findings")) {
            findings.add(new Found(
                    finding.get("rule").asString(),
                    finding.get("where").asString(),
                    finding.get("remedy").asString()));
        }
        assertEquals(findings.isEmpty() ? 0 : 3, result.exit());
        assertEquals(findings.isEmpty(), result.json().at("/examination/clean").asBoolean());
        return findings;
    }

    private static List<String> rules() {
        return examine().stream().map(Found::rule).toList();
    }

    /** Runs what the finding of a rule names, and nothing else. */
    private static void mend(String rule) throws SQLException {
        List<Found> findings =
                examine().stream().filter(one -> one.rule().equals(rule)).toList();
        assertTrue(!findings.isEmpty(), () -> rule + " must be among " + examine());
        for (Found finding : findings) {
            String remedy = finding.remedy();
            String sql = "on the server run: ";
            if (remedy.contains(sql)) {
                on(finding.where().substring("server ".length()), remedy.substring(remedy.indexOf(sql) + sql.length()));
                continue;
            }
            String command = remedy.substring(remedy.indexOf("shardmap ") + "shardmap ".length())
                    .replaceFirst("[,;] .*", "")
                    .replace("'", "");
            boolean asks = command.startsWith("shard repair") || command.startsWith("server add");
            user.run((command + (asks ? " --yes" : "")).split(" ")).ended(0);
        }
    }

    @Test
    void aServerThatIsDown() {
        servers.get("b").stop();
        try {
            assertEquals(List.of("SERVER_UNREACHABLE"), rules());
        } finally {
            servers.get("b").start();
        }
    }

    @Test
    void objectsThatAreMissingOldOrNewer() throws SQLException {
        on("b", "update shardmap.installation set version = version + 1");
        assertEquals(List.of("OBJECTS_NEWER"), rules());
        on("b", "update shardmap.installation set version = version - 1");

        on("b", "alter table shardmap.installation rename to hidden");
        assertTrue(rules().contains("OBJECTS_MISSING"));
        on("b", "alter table shardmap.hidden rename to installation");

        on("b", "update shardmap.installation set version = 0");
        assertTrue(rules().contains("OBJECTS_MISSING"));
        assertEquals(
                0,
                user.done("server upgrade --dry-run -o json")
                        .json()
                        .at("/servers/1/objects")
                        .asInt());
        mend("OBJECTS_MISSING");
        on("b", "delete from shardmap.installation where version = 0");
    }

    @Test
    void aServerThatBecameAnotherCluster() throws SQLException {
        on("other", "create table item (vs int, id bigint, primary key (vs, id))");
        PostgresServer other = servers.get("other");
        store().putServer(new Server("b", other.jdbcUrl()));

        assertTrue(
                rules().containsAll(List.of("SERVER_REPLACED", "OBJECTS_MISSING")),
                () -> examine().toString());
        CommandLineUser.Result asked =
                user.run("server", "add", "b", "--url", other.jdbcUrl()).ended(2);
        assertTrue(asked.err().contains("may have forgotten"), asked.err());
        mend("SERVER_REPLACED");
        mend("GUARD_MISSING");
        assertEquals(List.of(), rules());

        user.run("server", "add", "b", "--url", servers.get("b").jdbcUrl(), "--yes")
                .ended(0);
    }

    @Test
    void aServerOnAnotherTimeline() throws SQLException {
        on("map", "update shardmap_catalog.server_identity set timeline = timeline + 1 where server = 'b'");
        assertEquals(List.of("SERVER_REPLACED"), rules());
        CommandLineUser.Result refused =
                user.run("move", "plan", "0", "--to", "b").ended(1);
        assertTrue(refused.err().contains("SERVER_REPLACED") && refused.err().contains("doctor"), refused.err());
        mend("SERVER_REPLACED");
        user.done("move plan 0 --to b");
    }

    @Test
    void twoNamesOfOneDatabase() {
        store().putServer(new Server("b", servers.get("a").jdbcUrl()));
        assertTrue(rules().contains("SAME_DATABASE"), () -> examine().toString());
        store().putServer(new Server("b", servers.get("b").jdbcUrl()));
    }

    @Test
    void twoOwnersAndRowsOfBoth() throws SQLException {
        on("b", "insert into shardmap.ownership values (1, 3, 1, 'OPEN')");
        on("b", "insert into item values (3, 99)");
        assertEquals(List.of("TWO_OWNERS"), rules());

        mend("TWO_OWNERS");
        assertEquals(List.of("LEFTOVER_COPIES"), rules());
        mend("LEFTOVER_COPIES");
        assertEquals(0, count("b"));
    }

    @Test
    void anOwnerWhereTheMapSaysAnother() throws SQLException {
        on("a", "update shardmap.ownership set state = 'CLOSED' where virtual_shard in (4, 5)");
        on("b", "insert into shardmap.ownership values (1, 4, 1, 'OPEN'), (1, 5, 1, 'OPEN')");
        assertEquals(
                List.of("WRONG_OWNER map items, virtual shards 4-5, server b"),
                examine().stream()
                        .filter(one -> one.rule().equals("WRONG_OWNER"))
                        .map(one -> one.rule() + " " + one.where())
                        .toList());
        mend("WRONG_OWNER");
    }

    @Test
    void aServerThatForgot() throws SQLException {
        on("a", "delete from shardmap.ownership where virtual_shard in (6, 7, 9)");
        // Its rows lie there, and it says that it does not own them.
        assertEquals(List.of("SHARD_CLOSED", "STRANDED_ROWS"), rules());
        mend("SHARD_CLOSED");
    }

    @Test
    void epochsThatFellOrRose() throws SQLException {
        on("a", "update shardmap.ownership set epoch = 0 where virtual_shard = 8");
        assertEquals(List.of("EPOCH_BEHIND"), rules());
        mend("EPOCH_BEHIND");

        on("a", "update shardmap.ownership set epoch = 70 where virtual_shard = 8");
        assertEquals(List.of("EPOCH_AHEAD"), rules());
        mend("EPOCH_AHEAD");

        on(
                "b",
                "insert into shardmap.ownership values (1, 8, 90, 'CLOSED')"
                        + " on conflict (map_number, virtual_shard) do update set epoch = 90");
        assertEquals(List.of("EPOCH_AHEAD"), rules(), "the map forgot that it was on another server");
        mend("EPOCH_AHEAD");
    }

    @Test
    void aFenceWithoutAMove() throws SQLException {
        on("a", "update shardmap.ownership set state = 'FENCED', fenced_until = now() where virtual_shard = 2");
        assertEquals(List.of("LEFTOVER_FENCE"), rules());
        mend("LEFTOVER_FENCE");
    }

    @Test
    void anAssignmentThatWasNotCompleted() throws SQLException {
        on("a", "delete from shardmap.ownership where virtual_shard = 10");
        on("map", "update shardmap_catalog.virtual_shard set state = 'ASSIGNING' where id = 10");
        assertTrue(rules().contains("HALF_ASSIGNED"));
        mend("HALF_ASSIGNED");
    }

    @Test
    void aRepairThatWasNotCompleted() throws SQLException {
        on("map", "update shardmap_catalog.virtual_shard set state = 'ASSIGNING', epoch = epoch + 1 where id = 10");
        assertEquals(List.of("HALF_REPAIRED"), rules(), "it died before it changed a server");
        mend("HALF_REPAIRED");

        on("map", "update shardmap_catalog.virtual_shard set state = 'ASSIGNING', epoch = epoch + 1 where id = 10");
        on("a", "update shardmap.ownership set epoch = epoch + 1 where virtual_shard = 10");
        assertEquals(List.of("HALF_REPAIRED"), rules(), "it died after it opened the server");
        mend("HALF_REPAIRED");
    }

    @Test
    void ownershipOfAMapThatIsNotThere() throws SQLException {
        on("b", "insert into shardmap.ownership values (77, 0, 1, 'OPEN')");
        assertEquals(List.of("UNKNOWN_MAP"), rules());
        on("b", "delete from shardmap.ownership where map_number = 77");
    }

    @Test
    void aMapThatThisVersionCannotRead() throws SQLException {
        user.done("map create future --key-type long --function mod:2");
        on("map", "update shardmap_catalog.shard_map set format_version = 99 where name = 'future'");
        assertEquals(List.of("NOT_EXAMINED"), rules());
        on("map", "delete from shardmap_catalog.virtual_shard where map = 'future'");
        on("map", "delete from shardmap_catalog.shard_map where name = 'future'");
    }

    @Test
    void rowsThatLieOnTheWrongServer() throws SQLException {
        on("b", "set session_replication_role = replica; insert into item values (1, 1), (500, 1)");
        assertEquals(List.of("STRANDED_ROWS", "STRANDED_ROWS"), rules());
        assertEquals(0, user.run("doctor", "--no-rows").exit());
        on("b", "set session_replication_role = replica; delete from item where vs = 500");
        mend("STRANDED_ROWS");
    }

    @Test
    void aTableOrAGuardThatIsMissing() throws SQLException {
        on("b", "drop trigger shardmap_guard on item");
        assertEquals(List.of("GUARD_MISSING"), rules());
        mend("GUARD_MISSING");

        on("b", "alter table item rename to elsewhere");
        assertEquals(List.of("TABLE_MISSING"), rules());
        on("b", "alter table elsewhere rename to item");
    }

    @Test
    void whatALostMoveLeftInReplication() throws SQLException {
        on("a", "create publication shardmap_move_4711_80000001 for table item where (vs = 1)");
        on("a", "select pg_create_logical_replication_slot('shardmap_move_4711_80000001', 'pgoutput')");
        on(
                "b",
                "create subscription shardmap_move_4711_80000001 connection 'host=127.0.0.1'"
                        + " publication shardmap_move_4711_80000001 with (connect = false, slot_name = none)");
        assertEquals(List.of("LEFTOVER_STREAM", "LEFTOVER_STREAM", "LEFTOVER_STREAM"), rules());
        mend("LEFTOVER_STREAM");
    }

    @Test
    void aSessionOfAMoverThatNobodyKnows() throws Exception {
        try (Connection left = servers.get("b").openConnection();
                Statement statement = left.createStatement()) {
            statement.execute("set application_name = 'shardmap-mover 1/0 9'");
            long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (!rules().contains("LEFTOVER_SESSION") && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            mend("LEFTOVER_SESSION");
        }
    }

    @Test
    void whatMovesAreDoingIsNoFinding() {
        CompletableFuture<Void> mover = CompletableFuture.runAsync(() -> {
            for (String target : List.of("b", "a")) {
                user.run("move", "start", "0,1", "--to", target, "--method", "online", "--grace", "1s", "-q")
                        .ended(0);
            }
            String waits = user.done("move start 2 --to b --reversible --grace 1s -q -o json")
                    .json()
                    .at("/move/id")
                    .asString();
            user.done("move reverse " + waits + " -q");
        });
        int looked = 0;
        while (!mover.isDone()) {
            assertEquals(List.of(), examine());
            looked++;
        }
        mover.join();
        assertTrue(looked > 3, "looked " + looked + " times");
    }

    private static JdbcShardMapStore store() {
        return new JdbcShardMapStore(servers.get("map").dataSource());
    }

    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Lets the mover of virtual shard 11 die at a point, and its lease run out. */
    private static void die(String target, CrashPoint fatal) {
        PostgresServer a = servers.get("a");
        try (ServerPools pools =
                new ServerPools(null, server -> new Credentials(a.user(), a.password()), config -> {})) {
            Moves moves = Moves.of(store(), pools);
            MoveId id = moves.start("items", 11, target, QUICK);
            Moves mortal = moves.withHooks(point -> {
                if (point == fatal) {
                    throw new Death();
                }
            });
            assertThrows(Death.class, () -> mortal.run(id));
            long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (moves.status(id).leaseLive() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void moversThatDied() throws SQLException {
        die("b", CrashPoint.AFTER_COPY);
        assertEquals(List.of("STALLED_MOVE"), rules(), "copies, slot and publication are the affair of the move");
        mend("STALLED_MOVE");
        assertEquals(220, count("a"));

        die("a", CrashPoint.AFTER_CLOSE);
        assertEquals(List.of("SHARD_CLOSED"), rules(), "nobody is served");
        mend("SHARD_CLOSED");

        die("b", CrashPoint.AFTER_SWITCH);
        assertEquals(List.of("STALLED_MOVE"), rules(), "the source still serves those who do not know better");
        mend("STALLED_MOVE");
        die("a", CrashPoint.BEFORE_CLEAN);
        mend("STALLED_MOVE");
    }
}
