package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts on H2 take no lock: what they count is right all the same while virtual shards move. */
class H2CountTest {
    private static final int ROWS_PER_SHARD = 20;
    private static final int MOVED = 4;
    private Cluster cluster;

    @BeforeEach
    void fill() throws SQLException {
        cluster =
                Cluster.h2("BOOK", "create table book (id int primary key, shard int not null)", "one", "three", "two");
        for (int shard = 0; shard < Cluster.SHARDS; shard++) {
            cluster.sql(cluster.home(shard), insert(shard, 0, ROWS_PER_SHARD - 1));
        }
    }

    @AfterEach
    void nothingIsLeaked() {
        assertEquals(0, cluster.inUse());
        cluster.close();
    }

    private static String insert(int shard, int from, int to) {
        return "insert into book select x * 100 + " + shard + ", " + shard + " from system_range(" + from + ", " + to
                + ")";
    }

    private long count(String condition) throws SQLException {
        return cluster.fanOut()
                .query("select count(*) from book" + condition, row -> row.getLong(1))
                .get(0);
    }

    static Stream<String> conditions() {
        return Stream.of("", " where id >= 0");
    }

    @ParameterizedTest(name = "select count(*) from book{0}")
    @MethodSource("conditions")
    void countsAreRightWhileAVirtualShardMovesAround(String condition) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> mover = CompletableFuture.supplyAsync(() -> {
            int moves = 0;
            try {
                for (; !done.get(); moves++) {
                    move(cluster.names().get((moves + 1) % 3), cluster.names().get((moves + 2) % 3), moves + 2);
                }
                return moves;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            long start = System.nanoTime();
            int counts = 0;
            while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(2) || counts < 100) {
                assertEquals(Cluster.SHARDS * ROWS_PER_SHARD, count(condition));
                counts++;
            }
        } finally {
            done.set(true);
        }
        assertTrue(mover.get(20, TimeUnit.SECONDS) > 1);
    }

    /** The steps of a move, each committed by itself. */
    private void move(String source, String target, int epoch) throws SQLException {
        cluster.own(target, MOVED, epoch - 1, "CLOSED", true);
        for (int id = 0; id < ROWS_PER_SHARD; id++) {
            cluster.sql(target, insert(MOVED, id, id));
        }
        update(source, "\"state\" = 'CLOSED', \"holds_copies\" = true");
        cluster.place(MOVED, target, epoch);
        update(target, "\"state\" = 'OPEN', \"holds_copies\" = false, \"epoch\" = " + epoch);
        for (int id = 0; id < ROWS_PER_SHARD; id++) {
            cluster.sql(source, "delete from book where shard = " + MOVED + " and id = " + (id * 100 + MOVED));
        }
        update(source, "\"holds_copies\" = false");
    }

    private void update(String server, String values) throws SQLException {
        cluster.sql(server, "update \"shardmap\".\"ownership\" set " + values + " where \"virtual_shard\" = " + MOVED);
    }

    @Test
    void aTransactionThatCopiesAndClosesIsSeenWholeOrNotAtAll() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> flipping = CompletableFuture.runAsync(() -> {
            try (Connection connection = cluster.admin("one");
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                while (!done.get()) {
                    // Not owned and no rows, but for the length of a transaction: only its two halves together are a
                    // state.
                    statement.execute("insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\","
                            + " \"epoch\", \"state\", \"holds_copies\") values (1, " + MOVED + ", 1, 'CLOSED', true)");
                    statement.execute(insert(MOVED, 0, 3));
                    connection.commit();
                    statement.execute("delete from book where shard = " + MOVED);
                    statement.execute("delete from \"shardmap\".\"ownership\" where \"virtual_shard\" = " + MOVED);
                    connection.commit();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            long start = System.nanoTime();
            while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(2)) {
                assertEquals(Cluster.SHARDS * ROWS_PER_SHARD, count(""));
            }
        } finally {
            done.set(true);
        }
        flipping.get(20, TimeUnit.SECONDS);
    }

    @Test
    void noLockIsWaitedFor() throws SQLException {
        try (Connection mover = cluster.admin("one");
                Statement statement = mover.createStatement()) {
            mover.setAutoCommit(false);
            try (ResultSet locked = statement.executeQuery("select * from \"shardmap\".\"lock_row\" for update")) {
                assertTrue(locked.next());
            }
            assertEquals(Cluster.SHARDS * ROWS_PER_SHARD, count(""));
            mover.rollback();
        }
    }

    @Test
    void aServerWithoutOwnershipRowsIsCountedToo() throws SQLException {
        cluster.sql("two", "delete from \"shardmap\".\"ownership\"");
        cluster.sql("two", "delete from book where shard <> 2");
        for (int shard = 2; shard < Cluster.SHARDS; shard += 3) {
            cluster.own("one", shard, 2, "OPEN", false);
        }
        assertEquals((Cluster.SHARDS - 3) * ROWS_PER_SHARD, count(" where id >= 0"));
    }
}
