package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The verbs that talk to servers, on H2. */
class H2ServersTest {
    private final CommandLineUser user = CommandLineUser.ofNewDatabase();
    private final String first = CommandLineUser.inMemory();
    private final String second = CommandLineUser.inMemory();

    @TempDir
    private Path scripts;

    @BeforeEach
    void makeMapOfTwoServers() throws SQLException {
        user.done("init");
        user.done("server add first --url " + first + " --region north");
        user.done("server add second --url " + second);
        user.done("map create numbers --key-type integer --function mod:4");
        sql(first, "create table item (id int primary key, bucket int not null)");
        sql(second, "create table item (id int primary key, bucket int not null)");
    }

    private static void sql(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void assign() {
        user.done("table add ITEM --column BUCKET");
        user.done("shard assign 0,1 --server first");
        user.done("shard assign 2-3 --server second");
    }

    @Test
    void serversAreShownWithWhatTheyHold() {
        assign();
        assertEquals(
                "NAME    URL" + " ".repeat(first.length() - 3) + "  REGION\nfirst   " + first + "  north\nsecond  "
                        + second + "  -\n",
                user.done("server list").out());
        assertTrue(user.done("server show second").out().endsWith("MAP      VIRTUAL SHARDS\nnumbers  2,3\n"));
        assertEquals(
                "virtualShard,server,epoch,state\n0,first,1,ASSIGNED\n1,first,1,ASSIGNED\n",
                user.done("shard list --server first -o csv").out());
    }

    @Test
    void aKeyOfANumberMapIsLocated() {
        assign();
        assertTrue(user.done("key locate numbers 6 -o csv").out().startsWith("map,key,virtualShard,server"));
        assertEquals(
                2,
                user.run("key", "locate", "-o", "json", "--", "-2")
                        .ended(0)
                        .json()
                        .at("/key/virtualShard")
                        .asInt());
        assertTrue(user.run("key", "locate", "numbers", "six").ended(1).err().contains("[INVALID_KEY]"));
    }

    @Test
    void dryRunsChangeNothing() {
        user.done("server add third --url " + CommandLineUser.inMemory() + " --dry-run");
        assertEquals(2, user.done("server list -o json").json().get("servers").size());
        user.done("table add ITEM --column BUCKET --dry-run");
        assertEquals(0, user.done("table list -o json").json().get("tables").size());
        user.done("shard assign 0-3 --server first --dry-run");
        assertTrue(user.done("map show -o csv").out().endsWith(",4,0-3\n"));
    }

    @Test
    void aDryRunFindsTheSameProblemsAsTheRealRun() {
        String[] arguments = {"table", "add", "MISSING", "--column", "BUCKET", "--dry-run"};
        CommandLineUser.Result planned = user.run(arguments).ended(1);
        CommandLineUser.Result real =
                user.run("table", "add", "MISSING", "--column", "BUCKET").ended(1);
        assertEquals(real.err(), planned.err());
        assertTrue(real.err().contains("\n  table must exist: server=first"), real.err());
    }

    @Test
    void aReferenceTableIsRegisteredWhenItIsTheSameOnEveryServer() throws SQLException {
        sql(first, "create table language (code varchar(3) primary key, name varchar(40))");
        sql(second, "create table language (code varchar(4) primary key, name varchar(40))");
        String[] arguments = {"table", "add", "LANGUAGE", "--reference"};
        assertTrue(user.run(arguments).ended(1).err().contains("same columns and primary key on every server"));
        sql(second, "drop table language");
        assertTrue(user.run(arguments).ended(1).err().contains("table must exist: server=second"));
        sql(second, "create table language (code varchar(3) not null, name varchar(40))");
        assertTrue(user.run(arguments).ended(1).err().contains("must have a primary key: server=second"));
        sql(second, "alter table language add primary key (code)");

        user.done("table add LANGUAGE --reference --dry-run");
        assertEquals(0, user.done("table list -o json").json().get("tables").size());
        user.done("table add LANGUAGE --reference");
        assertTrue(user.done("table add LANGUAGE --reference").out().contains("is there already"));
        user.done("table add ITEM --column BUCKET");

        assertEquals(
                "table,kind,column\nITEM,sharded,BUCKET\nLANGUAGE,reference,\n",
                user.done("table list -o csv").out());
        assertTrue(
                user.run("table", "add", "ITEM", "--reference").ended(1).err().contains("not both"));
        assertTrue(user.run("table", "add", "LANGUAGE", "--column", "NAME")
                .ended(1)
                .err()
                .contains("not both"));
        user.run("table", "add", "ITEM").ended(2);
        user.run("table", "add", "ITEM", "--reference", "--column", "BUCKET").ended(2);
    }

    @Test
    void wrongNumbersOfVirtualShardsAreRefused() {
        for (String ids : new String[] {"3-1", "a", "1,,2", "0-65536", "-1", ""}) {
            assertEquals(
                    2, user.run("shard", "assign", ids, "--server", "first").exit(), ids);
        }
        assertTrue(user.run("shard", "assign", "4", "--server", "first")
                .ended(1)
                .err()
                .contains("[INVALID_DEFINITION]"));
    }

    @Test
    void aVirtualShardIsMovedWithItsRows() throws SQLException {
        assign();
        sql(first, "insert into item values (1, 1), (4, 0)");
        CommandLineUser.Result moved = user.run("move", "start", "1", "--to", "second", "--grace", "1s")
                .ended(0);
        assertTrue(moved.out().contains("is DONE"), moved.out());
        assertEquals(
                "COUNT(*)\n2\n",
                user.run("query", "-o", "csv", "select count(*) from item")
                        .ended(0)
                        .out());
        assertTrue(
                user.run("move", "start", "1", "--to", "second").ended(1).err().contains("SAME_SERVER"));
        assertTrue(user.run("move", "status", "99").ended(1).err().startsWith("error: "));
    }

    @Test
    void aServerThatDoesNotAnswerIsNamedWithTheReason() {
        CommandLineUser.Result refused = user.run("server", "add", "dead", "--url", "jdbc:postgresql://127.0.0.1:1/x")
                .ended(1);
        assertTrue(refused.err().contains("server=dead"), refused.err());
        assertTrue(refused.err().contains("reason: Connection to 127.0.0.1:1 refused"), refused.err());
        assertTrue(refused.err().contains("[SERVER_UNAVAILABLE]"), refused.err());
    }

    @Test
    void aRolloutThatFailsInPartSaysWhereAndGoesOnLater() throws IOException, SQLException {
        Files.writeString(scripts.resolve("V1__one.sql"), "create table one (id int);");
        Files.writeString(scripts.resolve("V2__two.sql"), "create table two (id int);");
        String locations = " --locations filesystem:" + scripts;
        sql(second, "create table two (id varchar)");

        CommandLineUser.Result status = user.run(
                        "schema", "status", "--locations", "filesystem:" + scripts, "-o", "json")
                .ended(0);
        assertEquals("PENDING", status.json().at("/servers/0/state").asString());
        JsonNode planned =
                user.done("schema migrate --dry-run -o json" + locations).json();
        assertEquals(2, planned.at("/servers/1/pending").size());

        assertTrue(user.run("schema", "migrate", "--locations", "filesystem:" + scripts)
                .ended(1)
                .err()
                .contains("no schema history table"));
        CommandLineUser.Result partial = user.run(
                        "schema", "migrate", "--baseline", "0", "--locations", "filesystem:" + scripts)
                .ended(5);
        assertTrue(partial.out().contains("first   UP_TO_DATE"), partial.out());
        assertTrue(partial.out().contains("second  FAILED"), partial.out());
        assertTrue(partial.err().contains("error: server second: "), partial.err());
        assertTrue(partial.err().contains("1 of 2 servers failed"), partial.err());

        sql(second, "drop table two");
        sql(second, "delete from \"flyway_schema_history\" where \"success\" = false");
        user.done("schema migrate" + locations);
        user.done("schema status" + locations);
    }

    @Test
    void scriptsThatAreNotThereAreAnError() {
        assertTrue(user.run("schema", "migrate", "--locations", "filesystem:/no/such/directory")
                .ended(1)
                .err()
                .contains("[STEP_FAILED]"));
        assertTrue(user.run("schema", "status", "--locations", "classpath:none", "--server", "third")
                .ended(1)
                .err()
                .contains("[UNKNOWN_SERVER]"));
        user.run("schema", "migrate").ended(2);
    }

    @Test
    void serversAtDifferentVersionsAreDrift() throws IOException {
        Files.writeString(scripts.resolve("V1__one.sql"), "create table one (id int);");
        String locations = "filesystem:" + scripts;
        user.done("schema migrate --baseline 0 --server first --locations " + locations);
        CommandLineUser.Result status =
                user.run("schema", "status", "--locations", locations).ended(3);
        assertTrue(status.out().contains("first   UP_TO_DATE  1"), status.out());
        assertTrue(status.out().contains("second  PENDING     -        1 one"), status.out());
        assertTrue(status.err().contains("servers differ"), status.err());
        user.done("schema migrate --baseline 0 --locations " + locations);
        user.done("schema status --locations " + locations);
    }

    @Test
    void ownershipThatDiffersIsFoundAndRepaired() throws SQLException {
        assign();
        sql(first, "insert into item values (1, 0), (2, 1)");
        assertTrue(user.done("doctor").out().endsWith(": all is well\n"));
        sql(
                second,
                "insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\", \"state\")"
                        + " values (1, 0, 1, 'OPEN')");
        sql(second, "insert into item values (3, 0)");
        sql(first, "update \"shardmap\".\"ownership\" set \"state\" = 'CLOSED' where \"virtual_shard\" = 1");

        CommandLineUser.Result found = user.run("doctor").ended(3);
        assertTrue(found.out().contains("TWO_OWNERS: map numbers, virtual shards 0,"), found.out());
        assertTrue(found.out().contains("SHARD_CLOSED: map numbers, virtual shards 1,"), found.out());
        assertTrue(user.run("shard", "repair", "0,1").ended(2).err().contains("give --yes"));
        assertTrue(user.done("shard repair 0,1 --dry-run").out().startsWith("dry run: would make 2 changes"));
        user.done("shard repair 0,1 --yes");
        assertTrue(user.run("doctor", "-o", "csv").ended(3).out().contains("\nLEFTOVER_COPIES,"));
        user.done("shard repair 0 --remove-copies --yes");
        assertEquals(
                0,
                user.done("doctor -o json").json().at("/examination/findings").size());
    }
}
