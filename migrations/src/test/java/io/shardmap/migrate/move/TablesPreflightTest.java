package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that cannot be moved right, whatever the method, are refused before anything is copied. */
class TablesPreflightTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);
    private static final List<String> BOTH = List.of("a", "b");

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private MoveWorld world;
    private int shard;

    @BeforeEach
    void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
        shard = world.shard();
    }

    @AfterEach
    void close() throws SQLException {
        world.close();
        for (String server : BOTH) {
            run(server, "drop schema public cascade; create schema public; drop schema shardmap cascade");
        }
        run("map", "drop schema shardmap_catalog cascade");
    }

    private static void run(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void runOnBoth(String sql) throws SQLException {
        for (String server : BOTH) {
            run(server, sql);
        }
    }

    private void register(String table) {
        new TableRegistration(world.store, world.pools).add(MoveWorld.MAP, new ShardedTable(null, table, "vs"), true);
    }

    private List<PreflightProblem> problems(MoveOptions options) {
        return world.moves().plan(MoveWorld.MAP, shard, "b", options).problems();
    }

    private void refused(Kind kind, String... words) {
        for (MoveOptions options : List.of(MoveWorld.QUICK, ONLINE)) {
            refused(options, kind, words);
        }
    }

    private void refused(MoveOptions options, Kind kind, String... words) {
        List<PreflightProblem> problems = problems(options);
        assertEquals(
                Set.of(kind),
                new TreeSet<>(problems.stream().map(PreflightProblem::kind).toList()),
                problems::toString);
        for (String word : words) {
            assertTrue(problems.get(0).message().contains(word), () -> word + ": " + problems);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"oid", "oid[]", "lo", "held"})
    void columnsThatMayHoldLargeObjectsAreRefused(String type) throws SQLException {
        runOnBoth("create domain lo as oid; create type held as (name text, object lo);"
                + " alter table account add column cover " + type);

        refused(Kind.LARGE_OBJECT, "account", "cover", "bytea");
    }

    /** Cleaning the source would delete rows of other virtual shards with those they point to. */
    @Test
    void aForeignKeyWithoutTheShardColumnIsRefused() throws SQLException {
        runOnBoth(
                "alter table account add column code bigint unique;"
                        + " create table remark (vs int not null, id int, account bigint,"
                        + " constraint far foreign key (account) references account (code) on delete cascade, primary key (vs, id))");
        register("remark");

        refused(Kind.FOREIGN_KEY_ACROSS, "remark", "far", "vs");
    }

    @Test
    void aForeignKeyThatPairsTheShardColumnWithAnotherOneIsRefused() throws SQLException {
        runOnBoth("create table remark (vs int not null, id bigint, other int, primary key (vs, id),"
                + " constraint far foreign key (other, id) references account (vs, id))");
        register("remark");

        refused(Kind.FOREIGN_KEY_ACROSS, "remark", "far", "vs");
    }

    @Test
    void aTargetWithoutAPartitionForTheVirtualShardIsRefused() throws SQLException {
        runOnBoth("create table parted (vs int not null, id int, primary key (vs, id)) partition by list (vs)");
        run("a", "create table parted_all partition of parted default");
        run("b", "create table parted_other partition of parted for values in (" + (shard + 1) + ")");
        register("parted");
        refused(Kind.PARTITION_MISSING, "server=b", "parted");

        run("b", "create table parted_here partition of parted for values in (" + shard + ")");
        assertEquals(List.of(), problems(ONLINE));
    }

    @Test
    void aTargetWithoutAnyPartitionIsRefused() throws SQLException {
        runOnBoth("create table parted (vs int not null, id int, primary key (vs, id)) partition by range (id)");
        run("a", "create table parted_all partition of parted default");
        register("parted");

        refused(Kind.PARTITION_MISSING, "server=b", "parted");
    }

    @Test
    void partitionsOfATableNeedNotBeRegisteredToo() throws SQLException {
        runOnBoth("create table remark (vs int not null, id int, account bigint, primary key (vs, id),"
                + " foreign key (vs, account) references account (vs, id)) partition by list (vs);"
                + " create table remark_rest partition of remark default");
        register("remark");

        assertEquals(List.of(), problems(ONLINE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"enable", "enable always", "enable replica"})
    void aTriggerOfAPartitionIsRefused(String how) throws SQLException {
        runOnBoth("create table parted (vs int not null, id int, primary key (vs, id)) partition by range (id);"
                + " create table parted_all partition of parted default;"
                + " create function nothing() returns trigger language plpgsql as 'begin return new; end'");
        run(
                "b",
                "create trigger greets before insert on parted_all for each row execute function nothing();"
                        + " alter table parted_all " + how + " trigger greets");
        register("parted");

        refused(Kind.USER_TRIGGER, "server=b", "greets");
    }

    /** Such a policy hides rows from the copy, its comparison and the cleaning alike. */
    @Test
    void aPolicyThatHidesRowsFromTheMoverIsRefusedAndNeverObeyed() throws SQLException {
        run(
                "a",
                "drop role if exists clerk; create role clerk; grant all on account, ledger to clerk;"
                        + " alter table account enable row level security");
        try (Connection connection = servers.get("a").openConnection();
                Statement statement = connection.createStatement()) {
            new PostgresMover().prepareSession(connection, world.place(shard), 1);
            statement.execute("set role clerk");

            SQLException failure =
                    assertThrows(SQLException.class, () -> statement.executeQuery("select count(*) from account"));

            assertEquals("42501", failure.getSQLState(), failure.getMessage());
        } finally {
            run("a", "drop owned by clerk; drop role clerk");
        }
    }

    @Test
    void anIdentityThatOnlyIncludesTheShardColumnIsRefused() throws SQLException {
        runOnBoth("create table numbered (vs int not null, id int, primary key (id) include (vs))");
        register("numbered");

        refused(ONLINE, Kind.REPLICA_IDENTITY, "numbered");
    }

    /** Without an equality the target cannot find the row that changes, and applies nothing any more. */
    @Test
    void aFullIdentityWithValuesThatCannotBeComparedIsRefused() throws SQLException {
        runOnBoth("create table papers (vs int not null, paper json); alter table papers replica identity full");
        register("papers");

        refused(ONLINE, Kind.REPLICA_IDENTITY, "papers", "json");
    }

    @Test
    void aTransactionThatWritesForLongIsToldWithItsProcess() throws Exception {
        try (Connection connection = servers.get("a").openConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select pg_current_xact_id()");
            Thread.sleep(1_100);
            MoveOptions options = ONLINE.withLockWait(java.time.Duration.ofSeconds(1));

            refused(options, Kind.LONG_TRANSACTION, "pid=", "pg_terminate_backend");
        }
    }

    @Test
    void uniqueKeysWithoutTheShardColumnAreNoted() throws SQLException {
        runOnBoth("alter table account add column code bigint unique");

        List<String> notes = world.moves().plan(MoveWorld.MAP, shard, "b").notes();

        assertTrue(notes.stream().anyMatch(note -> note.contains("account_code_key")), notes::toString);
    }
}
