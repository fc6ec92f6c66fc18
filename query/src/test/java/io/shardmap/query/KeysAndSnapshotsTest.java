package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.fanout.ServerOutcome;
import io.shardmap.jdbc.fanout.ShardKeys;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists of keys, snapshots and limits with the plans that this module adds. */
class KeysAndSnapshotsTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three", "single");

    private static final String SALES =
            "select (select count(*) from book b2), (select count(*) from shop.sale s where s.amount >= 0 or s.amount is null)";

    private ShardedAndSingle databases;

    @BeforeEach
    void fill() throws SQLException {
        databases = new ShardedAndSingle(SERVERS, 3);
    }

    @AfterEach
    void close() throws SQLException {
        databases.close();
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.append(result.getString(i)).append('|');
            }
            rows.add(row.toString());
        }
        return rows;
    }

    private List<String> single(String sql) throws SQLException {
        try (Statement statement = databases.single.createStatement()) {
            return rows(statement.executeQuery(sql));
        }
    }

    private void sameAsSingle(String sql, Class<? extends FanOutPlan> plan, int servers, Integer... keys)
            throws SQLException {
        try (FanOutResult result = databases.fanOut().query(sql, ShardKeys.of(List.of(keys)))) {
            assertInstanceOf(plan, result.plan());
            assertEquals(
                    single(sql.replace("?", "'{" + List.of(keys).toString().replaceAll("[\\[\\] ]", "") + "}'")),
                    rows(result.resultSet()));
            assertEquals(servers, result.outcomes().size());
        }
    }

    @Test
    void groupsOfKeysAreMerged() throws SQLException {
        String sql =
                "select small, count(*), sum(pages), min(printed) from book where vs = any(?) group by small order by small";
        sameAsSingle(sql, FanOutPlan.GroupedMerge.class, 1, 2, 5);
        sameAsSingle(sql, FanOutPlan.GroupedMerge.class, 2, 2, 3, 5);
        sameAsSingle(sql, FanOutPlan.GroupedMerge.class, 0);
        sameAsSingle("select sum(pages), max(id) from book where vs = any(?)", FanOutPlan.GroupedMerge.class, 1);
    }

    @Test
    void aCoordinatorGetsTheListAsAnArrayAndSoDoTheServers() throws SQLException {
        String sql =
                "select b.id, s.n, avg(s.amount) over () from book b join shop.sale s on s.book = b.id where b.vs = any(?) order by 1, 2";
        sameAsSingle(sql, FanOutPlan.Coordinated.class, 3, 1, 4, 6);
        sameAsSingle(sql, FanOutPlan.Coordinated.class, 3);
        try (FanOutResult result = databases.fanOut().query(sql, ShardKeys.of(List.of(1, 4, 6)))) {
            long needed = Long.parseLong(single("select (select count(*) from book where vs in (1, 4, 6))"
                            + " + (select count(*) from shop.sale)")
                    .get(0)
                    .replace("|", ""));
            assertEquals(
                    needed,
                    result.outcomes().stream().mapToLong(ServerOutcome::rows).sum());
        }
    }

    @Test
    void theResultOfACoordinatorIsLimitedToo() throws SQLException {
        FanOut few = databases.fanOut().resultLimit(2, Long.MAX_VALUE);
        SQLException refused = assertThrows(
                SQLException.class,
                () -> few.query("select avg(id) from book group by vs having count(*) > 0", row -> row.getInt(1)));
        assertEquals("54000", refused.getSQLState());
        assertTrue(refused.getMessage().contains("limit=2, seen=3"), refused.getMessage());
    }

    @Test
    void allTablesOfAServerAreOfTheMomentWhenItWasLocked() throws Exception {
        List<String> before = single(SALES);
        assertEquals(before, whileOneServerIsLocked(databases.fanOut().snapshot()));
        databases.close();
        databases = new ShardedAndSingle(SERVERS, 3);
        assertEquals(single(SALES.replace("b2)", "b2) + 1")), whileOneServerIsLocked(databases.fanOut()));
    }

    /** Adds a book on server two after it was locked, while server one keeps the query waiting. */
    private List<String> whileOneServerIsLocked(FanOut fanOut) throws Exception {
        CompletableFuture<List<String>> answer;
        try (Connection one = SERVERS.get("one").openConnection();
                Statement mover = one.createStatement();
                Connection two = SERVERS.get("two").openConnection();
                Statement writer = two.createStatement()) {
            one.setAutoCommit(false);
            mover.execute("select pg_advisory_xact_lock(1397555201, -1)");
            answer = CompletableFuture.supplyAsync(() -> {
                try (FanOutResult result = fanOut.query(SALES)) {
                    return rows(result.resultSet());
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            boolean entered = false;
            while (!entered) {
                Thread.sleep(20);
                try (ResultSet row = writer.executeQuery(
                        "select count(*) from pg_locks join pg_stat_activity using (pid)"
                                + " where locktype = 'advisory' and granted and state = 'idle in transaction' and datname = current_database()")) {
                    row.next();
                    entered = row.getInt(1) == 1;
                }
            }
            writer.execute("insert into book (id, vs) values (1000, 1)");
            one.commit();
        }
        return answer.get(30, TimeUnit.SECONDS);
    }
}
