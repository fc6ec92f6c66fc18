package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The life of a sharded database on real PostgreSQL, by commands alone. */
class EndToEndTest {
    private static final String SECRET = "never-printed-4711";
    private static final List<String> NAMES = List.of("bookdbshard0", "bookdbshard1", "bookdbshard2");

    @RegisterExtension
    static final PostgresServers servers =
            PostgresServers.shared("shardmap", "bookdbshard0", "bookdbshard1", "bookdbshard2");

    @TempDir
    private Path scripts;

    private static CommandLineUser user() {
        PostgresServer shardMap = servers.get("shardmap");
        return new CommandLineUser()
                .with("SHARDMAP_MAP_URL", shardMap.jdbcUrl())
                .with("SHARDMAP_MAP_USER", shardMap.user())
                .with("SHARDMAP_MAP_PASSWORD", SECRET)
                .with("SHARDMAP_SERVER_USER", "nobody-this-is-overridden")
                .with(
                        "SHARDMAP_SERVER_BOOKDBSHARD0_USER",
                        servers.get(NAMES.get(0)).user())
                .with(
                        "SHARDMAP_SERVER_BOOKDBSHARD1_USER",
                        servers.get(NAMES.get(1)).user())
                .with(
                        "SHARDMAP_SERVER_BOOKDBSHARD2_USER",
                        servers.get(NAMES.get(2)).user())
                .with("SHARDMAP_SERVER_PASSWORD", SECRET);
    }

    private static void insert(String server, String isbn, int checkDigit) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into book values ('" + isbn + "', 'Title of " + isbn + "', " + checkDigit + ")");
        }
    }

    @Test
    void aMapIsBuiltUsedAndChanged() throws IOException, SQLException {
        CommandLineUser user = user();
        user.done("init");
        user.done("init");
        for (String name : NAMES) {
            String add = "server add " + name + " --url " + servers.get(name).jdbcUrl();
            assertTrue(user.done(add + " --dry-run").out().startsWith("dry run: would add"));
            assertTrue(user.done(add + " -o json").json().at("/server/added").asBoolean());
            assertTrue(user.done(add).out().contains("is there already"));
        }
        user.done("map create books --key-type string --function isbn-check-digit");

        Files.writeString(scripts.resolve("V1__book.sql"), """
                create table book (isbn text primary key, title text not null, check_digit smallint not null)
                """);
        String migrate = "schema migrate --locations filesystem:" + scripts;
        assertTrue(user.done(migrate + " --dry-run").out().startsWith("SERVER"));
        assertEquals(3, user.done(migrate + " -o json").json().get("servers").size());
        user.done("schema status --locations filesystem:" + scripts);

        assertTrue(user.done("table add --map books book --column check_digit --dry-run")
                .out()
                .startsWith("dry run: would add"));
        user.done("table add --map books book --column check_digit");
        user.done("table add --map books book --column check_digit");

        assertTrue(user.done("shard assign 0-10 --server bookdbshard2 --dry-run")
                .out()
                .startsWith("dry run: would assign"));
        assertEquals(
                11,
                user.done("shard assign --map books 0,1,2,9 --server bookdbshard0 -o json --dry-run")
                        .json()
                        .at("/assignment/unassigned")
                        .size());
        user.done("shard assign --map books 0,1,2,9 --server bookdbshard0");
        user.done("shard assign --map books 3-6 --server bookdbshard1");
        user.done("shard assign --map books 7,8,10 --server bookdbshard2");
        assertTrue(user.done("shard assign --map books 7,8,10 --server bookdbshard2")
                .out()
                .contains("already"));

        JsonNode key =
                user.done("key locate books 978-8-1130-1024-6 -o json").json().get("key");
        assertEquals(6, key.get("virtualShard").asInt());
        assertEquals("bookdbshard1", key.get("server").asString());

        insert("bookdbshard1", "978-8-1130-1024-6", 6);
        insert("bookdbshard0", "978-0-306-40615-9", 9);
        assertTrue(user.done("move start 6 --to bookdbshard0 --dry-run").out().startsWith("dry run: would move"));
        CommandLineUser.Result move = user.run("move", "start", "6", "--to", "bookdbshard0", "--grace", "1s")
                .ended(0);
        assertTrue(move.out().endsWith("is DONE\n"), move.out());
        assertTrue(move.err().contains("\"state\":\"COPYING\""), move.err());
        assertEquals(
                "bookdbshard0",
                user.done("key locate books 978-8-1130-1024-6 -o json")
                        .json()
                        .at("/key/server")
                        .asString());

        JsonNode count = user.run("query", "--map", "books", "-o", "json", "select count(*) from book")
                .ended(0)
                .json();
        assertEquals(2, count.at("/rows/0/count").asInt());
        CommandLineUser.Result csv = user.run(
                        "query", "--map", "books", "-o", "csv", "select isbn from book order by check_digit limit 5")
                .ended(0);
        assertEquals("isbn\n978-8-1130-1024-6\n978-0-306-40615-9\n", csv.out());
        CommandLineUser.Result average = user.run(
                        "query", "--map", "books", "-o", "csv", "select avg(check_digit) from book")
                .ended(0);
        assertEquals("avg\n7.5000000000000000\n", average.out());

        movesThatAreOnlyRecorded(user);
        errors(user);
        assertFalse(user.everythingPrinted().contains(SECRET));
    }

    private static void movesThatAreOnlyRecorded(CommandLineUser user) {
        JsonNode recorded = user.done("move start 5 --to bookdbshard0 --no-wait -o json")
                .json()
                .get("move");
        assertEquals("PLANNED", recorded.get("state").asString());
        String id = recorded.get("id").asString();
        assertEquals(5, user.run("move", "status", id, "--watch").exit());
        assertTrue(user.run("move", "cancel", id).ended(2).err().contains("give --yes"));
        assertTrue(user.done("move cancel " + id + " --dry-run").out().startsWith("dry run: would undo"));
        user.done("move cancel " + id + " --yes");
        assertEquals(1, user.run("move", "status", id, "--watch").exit());
        JsonNode second = user.done("move start 5 --to bookdbshard0 --no-wait --grace 1s -o json")
                .json()
                .get("move");
        String next = second.get("id").asString();
        user.done("move resume " + next + " --dry-run");
        user.done("move resume " + next);
        user.done("move resume " + next);
        assertEquals(0, user.run("move", "status", next, "--watch").exit());
        assertEquals(3, user.done("move list -o json").json().get("moves").size());
    }

    private static void errors(CommandLineUser user) {
        CommandLineUser.Result same =
                user.run("move", "start", "6", "--to", "bookdbshard0").ended(1);
        assertTrue(same.err().contains("[PREFLIGHT]\n  SAME_SERVER"), same.err());
        CommandLineUser.Result online = user.run(
                        "move", "start", "6", "--to", "bookdbshard1", "--method", "online", "--dry-run")
                .ended(1);
        assertTrue(online.err().contains("replica identity"), online.err());
        assertTrue(user.run("move", "start", "6", "--to", "bookdbshard1", "--method", "magic")
                .ended(2)
                .err()
                .contains("portable or online"));
        assertTrue(user.run("shard", "assign", "0", "--server", "nope")
                .ended(1)
                .err()
                .contains("[UNKNOWN_SERVER]"));
        CommandLineUser.Result refused =
                user.run("query", "select random() from book").ended(1);
        assertTrue(refused.err().contains("[NOT_SUPPORTED]"), refused.err());
        CommandLineUser.Result plan =
                user.run("explain", "select random() from book").ended(1);
        assertEquals(
                plan.out(),
                user.run("query", "--explain", "select random() from book")
                        .ended(1)
                        .out());
        JsonNode streaming = user.run("explain", "-o", "json", "select isbn from book order by isbn")
                .ended(0)
                .json()
                .get("plan");
        assertEquals("STREAMING", streaming.get("tier").asString());
        assertTrue(streaming.get("plan").asString().contains("server bookdbshard0: SELECT isbn FROM book ORDER BY"));
        assertTrue(user.run("query", "select nothing from book").ended(1).err().contains("SQLSTATE 42703"));
        CommandLineUser.Result redirect = user.run(
                        "server",
                        "add",
                        "bookdbshard0",
                        "--url",
                        servers.get(NAMES.get(1)).jdbcUrl())
                .ended(2);
        assertTrue(redirect.err().contains("give --yes"), redirect.err());
        assertTrue(user.answering("n")
                .run(
                        "server",
                        "add",
                        "bookdbshard0",
                        "--url",
                        servers.get(NAMES.get(1)).jdbcUrl())
                .ended(1)
                .err()
                .contains("nothing was changed"));
    }
}
