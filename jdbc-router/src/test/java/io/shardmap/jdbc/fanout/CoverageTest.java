package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.Await;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every virtual shard is read exactly once, whatever its owner is doing. */
class CoverageTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three");

    private static final Duration SHORT = Duration.ofSeconds(1);
    private Cluster cluster;

    @BeforeEach
    void fill() throws SQLException {
        cluster = Cluster.postgres(
                SERVERS, "book", "create table book (id int primary key, shard int not null)", "one", "two");
        for (int shard = 0; shard < Cluster.SHARDS; shard++) {
            cluster.sql(cluster.home(shard), "insert into book values (" + shard + ", " + shard + ")");
        }
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
        cluster.close();
    }

    private long count() throws SQLException {
        return cluster.fanOut()
                .query("select count(*) from book b where b.id >= 0 or b.id < 0", row -> row.getLong(1))
                .get(0);
    }

    private List<Integer> sorted() throws SQLException {
        return cluster.fanOut().query("select id from book order by 1", row -> row.getInt(1));
    }

    @Test
    void addsUpOwnership() {
        Coverage coverage = Coverage.of(
                4,
                List.of(List.of(owned(0), owned(1), new OwnershipRow(2, 5, false, true)), List.of(owned(1), owned(9))));
        assertEquals(new Coverage(List.of(2, 3), List.of(1), List.of(9)), coverage);
        assertFalse(coverage.isExact());
        assertTrue(Coverage.of(2, List.of(List.of(owned(1)), List.of(owned(0)))).isExact());
        assertEquals(List.of(3), coverage.excusing(List.of(2)).missing());
    }

    private static OwnershipRow owned(int virtualShard) {
        return new OwnershipRow(virtualShard, 1, true, false);
    }

    @Test
    void aGapIsWaitedForAndThenAnErrorNamesIt() throws SQLException {
        assertEquals(12, count());
        cluster.own("two", 3, 2, "CLOSED", true);
        SQLException error = assertThrows(
                SQLTransientConnectionException.class,
                () -> cluster.fanOut().deadline(SHORT).query("select id from book"));
        assertEquals("08006", error.getSQLState());
        assertTrue(error.getMessage().contains("missing=[3], doubled=[]"), error.getMessage());
    }

    @Test
    void anOverlapIsNeverRead() throws SQLException {
        assertEquals(12, count());
        cluster.own("one", 3, 2, "OPEN", false);
        SQLException error = assertThrows(
                SQLTransientConnectionException.class,
                () -> cluster.fanOut().deadline(SHORT).query("select count(*) from book"));
        assertTrue(error.getMessage().contains("missing=[], doubled=[3]"), error.getMessage());
    }

    @Test
    void aGapThatClosesIsNotSeen() throws Exception {
        assertEquals(12, count());
        cluster.own("two", 3, 2, "CLOSED", true);
        CompletableFuture<Long> counted = CompletableFuture.supplyAsync(() -> {
            try {
                return count();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        cluster.sql("one", "insert into book values (3, 3)");
        cluster.own("one", 3, 2, "OPEN", false);
        cluster.place(3, "one", 2);
        assertEquals(12, counted.get(20, TimeUnit.SECONDS));
        assertEquals(12, sorted().size());
    }

    @Test
    void copiesAreNotCounted() throws SQLException {
        assertEquals(12, count());
        cluster.own("one", 3, 1, "CLOSED", true);
        cluster.sql("one", "insert into book values (3, 3)");
        for (int i = 0; i < 3; i++) {
            assertEquals(12, count());
            assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), sorted());
        }
        cluster.own("one", 3, 2, "OPEN", false);
        cluster.own("two", 3, 2, "CLOSED", true);
        cluster.place(3, "one", 2);
        assertEquals(12, count());
        assertEquals(12, sorted().size());
    }

    @Test
    void aFencedVirtualShardIsStillItsOwners() throws SQLException {
        cluster.sql(
                "one",
                "update shardmap.ownership set state = 'FENCED', fenced_until = now() + interval '1 hour'"
                        + " where virtual_shard = 0");
        assertEquals(12, count());
    }

    @Test
    void aServerThatTheCachedMapDoesNotNameIsFound() throws SQLException {
        assertEquals(12, count());
        Cluster third = Cluster.postgres(
                SERVERS, "book", "create table book (id int primary key, shard int not null)", "three");
        third.sql("three", "delete from shardmap.ownership; insert into book values (3, 3)");
        third.own("three", 3, 2, "OPEN", false);
        cluster.own("two", 3, 2, "CLOSED", true);
        cluster.store.putServer(third.store.servers().get(0));
        cluster.place(3, "three", 2);
        assertEquals(12, count());
    }

    @Test
    void aVirtualShardOnNoServerIsAnErrorAtOnce() throws SQLException {
        cluster.sql("two", "delete from shardmap.ownership where virtual_shard = 3");
        cluster.store.place(
                Cluster.MAP,
                cluster.store.load(Cluster.MAP).virtualShards().get(3),
                io.shardmap.VirtualShard.unassigned(3));
        SQLException error =
                assertThrows(SQLException.class, () -> cluster.fanOut().query("select id from book"));
        assertEquals("08001", error.getSQLState());
        assertTrue(error.getMessage().contains("missing=[3]"), error.getMessage());
    }

    @Test
    void theLockIsHeldUntilTheServersRowsAreRead() throws SQLException {
        cluster.sql("two", "insert into book select 100 + n, 1 from generate_series(1, 6) n");
        try (FanOutResult result = cluster.fanOut().fetchSize(5).query("select id from book")) {
            ResultSet rows = result.resultSet();
            for (int i = 0; i < 11; i++) {
                assertTrue(rows.next());
            }
            assertFalse(exclusive("one"));
            assertFalse(exclusive("two"));
            assertTrue(rows.next());
            assertTrue(exclusive("one"));
            assertFalse(exclusive("two"));
        }
        assertTrue(exclusive("two"));
    }

    private boolean exclusive(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_try_advisory_xact_lock(1397555201, -1)")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    void aMoverThatHoldsTheLockIsWaitedFor() throws Exception {
        CompletableFuture<Long> counted;
        try (Connection mover = cluster.admin("one");
                Statement statement = mover.createStatement()) {
            mover.setAutoCommit(false);
            statement.execute("select pg_advisory_xact_lock(1397555201, -1)");
            statement.execute("update shardmap.ownership set state = 'CLOSED', epoch = 2, holds_copies = true"
                    + " where virtual_shard = 0");
            counted = CompletableFuture.supplyAsync(() -> {
                try {
                    return count();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Await.until(() -> waiting("one") == 1);
            cluster.sql("two", "insert into book values (0, 0)");
            cluster.own("two", 0, 2, "OPEN", false);
            cluster.place(0, "two", 2);
            mover.commit();
        }
        assertEquals(12, counted.get(20, TimeUnit.SECONDS));
        assertInstanceOf(FanOutPlan.CountSum.class, cluster.fanOut().explain("select count(*) from book"));
    }

    private int waiting(String server) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_locks where locktype = 'advisory' and"
                                + " not granted and database = (select oid from pg_database where datname = current_database())")) {
            row.next();
            return row.getInt(1);
        }
    }
}
