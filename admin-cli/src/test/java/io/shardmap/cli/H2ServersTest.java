package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs that talk to servers, on H2. */
class H2ServersTest {
    private final CommandLineUser user = CommandLineUser.ofNewDatabase();
    private final String first = CommandLineUser.inMemory();
    private final String second = CommandLineUser.inMemory();

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
}
