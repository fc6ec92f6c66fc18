package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.Await;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An update of all servers changes each row once, and says what it has not changed. */
class UpdateTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three");

    private static final String DDL = "create table book (id int primary key, shard int not null, n int not null,"
            + " title text unique deferrable initially deferred)";

    private Cluster cluster;

    @BeforeEach
    void fill() throws SQLException {
        cluster = Cluster.postgres(SERVERS, "book", DDL, "one", "three", "two");
        for (int id = 0; id < 24; id++) {
            int shard = id % 12;
            cluster.sql(cluster.home(shard), "insert into book values (" + id + ", " + shard + ", 0, 't" + id + "')");
        }
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
        cluster.close();
    }

    private int number(String server, String sql) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private int changed() throws SQLException {
        int sum = 0;
        for (String server : cluster.names()) {
            sum += number(server, "select coalesce(sum(n), 0) from book");
        }
        return sum;
    }

    @Test
    void everyServerChangesItsRows() throws SQLException {
        UpdateReport report =
                cluster.fanOut().update("update book as b set n = b.n + ?, title = upper(title) where b.id >= ?", 2, 3);
        assertTrue(report.isComplete());
        assertEquals(21, report.rows());
        assertEquals("one: done, rows=7; three: done, rows=7; two: done, rows=7", report.toString());
        assertEquals(42, changed());
        assertEquals(3, cluster.fanOut().update("delete from book where id < 3").rows());
        assertEquals(21, cluster.fanOut().update("delete from public.book").rows());
    }

    @Test
    void leftoversAreNotTouchedNorCounted() throws SQLException {
        cluster.own("one", 1, 1, "CLOSED", true);
        cluster.sql("one", "insert into book values (1, 1, 0, 'copy')");
        assertEquals(24, cluster.fanOut().update("update book set n = 1").rows());
        assertEquals(
                2,
                cluster.fanOut()
                        .update("update book set n = 1 where shard = 1 or id = 900")
                        .rows());
        assertEquals(0, number("one", "select n from book where id = 1"));
        assertEquals(
                2, cluster.fanOut().update("delete from book b where shard = 1").rows());
        assertEquals(1, number("one", "select count(*) from book where id = 1"));
    }

    @Test
    void aStatementThatFailsOnOneServerChangesNothingAnywhere() throws SQLException {
        SQLException failure =
                assertThrows(SQLException.class, () -> cluster.fanOut().update("update book set n = 100 / (id - 13)"));
        assertEquals("22012", failure.getSQLState());
        assertTrue(failure.getMessage().startsWith("server three: "), failure.getMessage());
        assertFalse(failure instanceof PartialUpdateException);
        assertEquals(0, changed());
    }

    @Test
    void aCommitThatFailsLeavesTheServersBeforeItChangedAndSaysSo() throws SQLException {
        cluster.sql("three", "insert into book values (100, 1, 0, 'T1')"); // a title that is there twice at commit
        PartialUpdateException partial = assertInstanceOf(
                PartialUpdateException.class,
                assertThrows(
                        SQLException.class,
                        () -> cluster.fanOut().update("update book set n = 1, title = upper(title)")));
        assertEquals("23505", partial.getSQLState());
        assertEquals(
                List.of(ServerUpdate.State.DONE, ServerUpdate.State.FAILED, ServerUpdate.State.NOT_DONE),
                partial.report().servers().stream().map(ServerUpdate::state).toList());
        assertEquals(8, partial.report().rows());
        assertTrue(
                partial.getMessage().contains("one: done, rows=8; three: failed, error=server three: "),
                partial.getMessage());
        assertTrue(partial.getMessage().contains("two: not done"), partial.getMessage());
        assertEquals(8, changed());
    }

    @Test
    void aPartialUpdateGoesOnWithoutServersThatFail() throws SQLException {
        cluster.sql("three", "insert into book values (100, 1, 0, 'T1')");
        UpdateReport report = cluster.fanOut().partial().update("update book set n = 1, title = upper(title)");
        assertFalse(report.isComplete());
        assertEquals(16, report.rows());
        assertEquals(16, changed());
        assertEquals(
                16,
                cluster.fanOut()
                        .partial()
                        .update("update book set n = n / (id - 13)")
                        .rows());
    }

    @Test
    void aSessionThatEndsWhileItCommitsIsUnknown() throws SQLException {
        cluster.sql("three", """
                create function cut() returns trigger language plpgsql as $$
                begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
                create constraint trigger cut after update on book deferrable initially deferred
                    for each row execute function cut()""");
        PartialUpdateException partial = assertThrows(
                PartialUpdateException.class, () -> cluster.fanOut().update("update book set n = 1"));
        assertEquals(
                List.of(ServerUpdate.State.DONE, ServerUpdate.State.UNKNOWN, ServerUpdate.State.NOT_DONE),
                partial.report().servers().stream().map(ServerUpdate::state).toList());
        cluster.sql("three", "drop table book; drop function cut");
        cluster.sql("three", DDL);
    }

    @Test
    void aFencedVirtualShardIsWaitedFor() throws Exception {
        assertEquals(24, cluster.fanOut().update("update book set n = 0").rows()); // the pools are warm from now on
        fence("now() + interval '1 hour'");
        SQLException moving = assertThrows(
                SQLTransientConnectionException.class,
                () -> cluster.fanOut().deadline(Duration.ofSeconds(4)).update("update book set n = 1"));
        assertTrue(moving.getMessage().contains("missing=[0]"), moving.getMessage());
        assertEquals(0, changed());
        CompletableFuture<Long> rows = CompletableFuture.supplyAsync(() -> {
            try {
                return cluster.fanOut().update("update book set n = 1").rows();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        fence("now() - interval '1 second'");
        assertEquals(24, rows.get(30, TimeUnit.SECONDS));
    }

    private void fence(String until) throws SQLException {
        cluster.sql(
                "one",
                "update shardmap.ownership set state = 'FENCED', fenced_until = " + until + " where virtual_shard = 0");
    }

    @Test
    void aMoverWaitsForTheCommit() throws Exception {
        CompletableFuture<UpdateReport> update;
        try (Connection other = cluster.admin("two");
                Statement writer = other.createStatement()) {
            other.setAutoCommit(false);
            writer.execute("update book set n = 5 where id = 2");
            update = CompletableFuture.supplyAsync(() -> {
                try {
                    return cluster.fanOut().update("update book set n = n + 1");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Await.until(() ->
                    number("two", "select count(*) from pg_locks where locktype = 'transactionid' and not granted")
                            == 1);
            assertEquals(0, number("one", "select pg_try_advisory_xact_lock(1397555201, 0)::int"));
            assertEquals(0, number("two", "select pg_try_advisory_xact_lock(1397555201, -1)::int"));
            other.commit();
        }
        assertEquals(24, update.get(30, TimeUnit.SECONDS).rows());
        assertEquals(29, changed());
    }

    @Test
    void whileItWaitsForALockTheDeadlineEndsItAndItsSession() throws Exception {
        assertEquals(24, cluster.fanOut().update("update book set n = 0").rows());
        try (Connection mover = cluster.admin("two");
                Statement lock = mover.createStatement()) {
            mover.setAutoCommit(false);
            lock.execute("select pg_advisory_xact_lock(1397555201, -1)");
            FanOut hasty = cluster.fanOut().deadline(Duration.ofSeconds(2));
            assertThrows(SQLTimeoutException.class, () -> hasty.update("update book set n = 1"));
            Await.until(() -> number(
                            "two",
                            "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                                    + " and database = (select oid from pg_database where datname = current_database())")
                    == 0);
        }
        assertEquals(0, changed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into book values (1, 1, 1, '')",
                "truncate book",
                "update book set shard = 3",
                "update book set \"shard\" = 3 where id = 1",
                "update book set (n, shard) = (1, 2)",
                "update book set n = default",
                "update book set title = now()::text",
                "update book set n = (select max(n) from book)",
                "update book set n = 1 where id in (select id from book)",
                "update book set n = random()",
                "update book b set n = 1 from book c where c.id = b.id",
                "update only book set n = 1",
                "update book set n = 1 returning id",
                "update book set n = 1; delete from book",
                "with x as (select 1) update book set n = 1",
                "delete from book using book b where b.id = 1",
                "delete from book where id = 1 returning id",
                "delete from only book",
                "delete from elsewhere",
                "delete from book where ctid = '(0,1)' and random() < 1",
                "update book set n = 1 where current of c",
                "select 1"
            })
    void whatAServerCannotDoAloneIsRefused(String sql) throws SQLException {
        SQLException refused = assertThrows(
                SQLFeatureNotSupportedException.class, () -> cluster.fanOut().update(sql));
        assertTrue(refused.getMessage().contains("; "), refused.getMessage());
        assertEquals(0, changed());
    }

    @Test
    void aServerThatIsDownChangesNothingAnywhere() throws SQLException {
        try (ShardRouter broken = ShardRouter.builder(cluster.store)
                .credentials(server -> server.name().equals("two")
                        ? new Credentials("nobody", "wrong")
                        : new Credentials(SERVERS.get(0).user(), SERVERS.get(0).password()))
                .pool(pool -> pool.setConnectionTimeout(500))
                .build()) {
            SQLException failure = assertThrows(
                    SQLException.class, () -> broken.fanOut(Cluster.MAP).update("update book set n = 1"));
            assertTrue(failure.getMessage().contains("server=two"), failure.getMessage());
            assertEquals(0, changed());
        }
    }

    @Test
    void h2ServersAreUpdatedToo() throws SQLException {
        try (Cluster h2 = Cluster.h2("BOOK", "create table BOOK (ID int primary key, SHARD int, N int)", "x", "y")) {
            for (int id = 0; id < Cluster.SHARDS; id++) {
                h2.sql(h2.home(id), "insert into BOOK values (" + id + ", " + id + ", 0)");
                h2.sql(
                        h2.home(id),
                        "insert into \"shardmap\".\"lock_row\" select 1, " + id + ", x from system_range(0, 15)");
            }
            assertEquals(
                    7,
                    h2.fanOut()
                            .update("update book set n = n + 1 where id > ?", 4)
                            .rows());
            assertEquals(
                    List.of(7),
                    h2.fanOut().query("select id from book where n = 1", row -> 7).stream()
                            .distinct()
                            .toList());
        }
    }
}
