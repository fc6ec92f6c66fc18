package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.testkit.PostgresServers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queries that read reference tables, against one database that has all rows. */
class ReferenceQueriesTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three", "single");

    private static final List<String> QUERIES = List.of(
            "select b.id, g.label from book b join genre g on g.code = b.small order by b.id",
            "select b.id, g.label from book b left join genre g on g.code = b.small where b.pages > 0 order by b.id",
            "select g.code, count(b.id) from genre g left join book b on b.small = g.code group by g.code order by 1",
            "select g.label from genre g where not exists (select 1 from book where small = g.code) order by 1",
            "select label from genre union all select author from book order by 1",
            "select town, sum(amount) from shop.sale join shop.buyer on shop.buyer.name = shop.sale.buyer group by town order by 1",
            "with genre as (select code from genre where code < 2) select count(*) from book where small in (select code from genre)");

    private static List<List<Object>> rows(ResultSet result) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(String.valueOf(result.getObject(i)));
            }
            rows.add(row);
        }
        return rows;
    }

    @Test
    void answersAreThoseOfOneDatabase() throws SQLException {
        try (ShardedAndSingle databases = new ShardedAndSingle(SERVERS, 5);
                Statement single = databases.single.createStatement()) {
            for (String sql : QUERIES) {
                List<List<Object>> expected = rows(single.executeQuery(sql));
                assertFalse(expected.isEmpty(), sql);
                try (FanOutResult result = databases.fanOut().query(sql)) {
                    assertInstanceOf(FanOutPlan.Coordinated.class, result.plan(), sql);
                    assertEquals(expected, rows(result.resultSet()), sql);
                }
            }
        }
    }
}
