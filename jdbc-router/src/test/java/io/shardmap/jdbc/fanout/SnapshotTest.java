package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.Await;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Snapshots that are taken under the locks: never older than what the servers own, and no lock is left. */
class SnapshotTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two");

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
    void nothingIsLeft() throws SQLException {
        assertEquals(0, cluster.inUse());
        for (String server : cluster.names()) {
            assertEquals(0, locks(server, "granted"), "locks left on " + server);
        }
        cluster.close();
    }

    private int locks(String server, String which) throws SQLException {
        try (Connection connection = cluster.admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_locks where locktype = 'advisory' and "
                        + which + " and database = (select oid from pg_database where datname = current_database())")) {
            row.next();
            return row.getInt(1);
        }
    }

    private CompletableFuture<List<Integer>> reading(FanOut fanOut) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return fanOut.query("select id from book order by id", row -> row.getInt(1));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aMoveThatSwitchesInBetweenIsSeenOnce() throws Exception {
        assertEquals(12, reading(cluster.fanOut().snapshot()).get().size());
        CompletableFuture<List<Integer>> rows;
        try (Connection source = cluster.admin("one");
                Statement mover = source.createStatement()) {
            source.setAutoCommit(false);
            mover.execute("select pg_advisory_xact_lock(1397555201, -1)");
            rows = reading(cluster.fanOut().snapshot());
            Await.until(() -> locks("one", "not granted") == 1);
            mover.execute("update shardmap.ownership set state = 'CLOSED', epoch = 2, holds_copies = true"
                    + " where virtual_shard = 0; insert into book values (100, 2)");
            cluster.sql("two", "insert into book values (0, 0)");
            cluster.own("two", 0, 2, "OPEN", false);
            cluster.place(0, "two", 2);
            source.commit();
        }
        assertEquals(
                IntStream.concat(IntStream.range(0, 12), IntStream.of(100))
                        .boxed()
                        .toList(),
                rows.get(20, TimeUnit.SECONDS));
    }

    @Test
    void rowsOfOneStatementAndALimitComeAsWithoutIt() throws SQLException {
        FanOut fanOut = cluster.fanOut().snapshot().fetchSize(2);
        assertEquals(
                List.of(9, 8, 7),
                fanOut.query("select id from book order by id desc limit 3 offset 2", row -> row.getInt(1)));
        assertEquals(List.of(12L), fanOut.query("select count(*) from book", row -> row.getLong(1)));
        assertEquals(
                List.of(3),
                fanOut.query(
                        "select id from book where shard = any(?)", row -> row.getInt(1), ShardKeys.of(List.of(3))));
    }

    @Test
    void whileItWaitsForTheLockTheDeadlineEndsIt() throws Exception {
        try (Connection source = cluster.admin("one");
                Statement mover = source.createStatement()) {
            source.setAutoCommit(false);
            mover.execute("select pg_advisory_xact_lock(1397555201, -1)");
            FanOut hasty = cluster.fanOut().snapshot().deadline(Duration.ofSeconds(1));
            assertThrows(SQLTimeoutException.class, () -> hasty.query("select id from book"));
            Await.until(() -> locks("one", "not granted") == 0);
        }
        assertEquals(12, reading(cluster.fanOut().snapshot()).get().size());
    }

    @Test
    void theLockIsGivenUpWithTheTransaction() throws SQLException {
        try (FanOutResult result = cluster.fanOut().snapshot().fetchSize(1).query("select id from book")) {
            assertTrue(result.resultSet().next());
            assertFalse(exclusive("one"));
        }
        assertTrue(exclusive("one"));
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
    void h2HasNone() throws SQLException {
        try (Cluster h2 = Cluster.h2("BOOK", "create table BOOK (ID int primary key, SHARD int)", "x", "y")) {
            SQLException refused = assertThrows(
                    SQLFeatureNotSupportedException.class,
                    () -> h2.fanOut().snapshot().query("select id from book"));
            assertTrue(refused.getMessage().contains("without snapshot()"), refused.getMessage());
        }
    }
}
