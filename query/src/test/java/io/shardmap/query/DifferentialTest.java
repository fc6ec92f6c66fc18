package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A query over three servers gives what one database with all the rows gives, or is refused. */
class DifferentialTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three", "single");

    private static final int QUERIES_PER_DATA = 125;

    private final Map<String, Integer> tiers = new TreeMap<>();

    @Test
    void givesTheAnswerOfOneDatabaseOrRefuses() throws SQLException {
        run(4);
    }

    @Test
    @Tag("deep")
    void givesTheAnswerOfOneDatabaseOrRefusesInManyRuns() throws SQLException {
        run(160);
    }

    private void run(int data) throws SQLException {
        for (int rows = 0; rows < data; rows++) {
            try (ShardedAndSingle databases = new ShardedAndSingle(SERVERS, rows)) {
                for (int i = 0; i < QUERIES_PER_DATA; i++) {
                    long seed = rows * QUERIES_PER_DATA + i;
                    RandomQueries.Query query = new RandomQueries(seed).next();
                    try {
                        compare(query, databases.single, databases.fanOut().fetchSize(seed % 2 == 0 ? 3 : 1_000));
                    } catch (AssertionError | SQLException e) {
                        throw new AssertionError(
                                "data=" + rows + ", seed=" + seed + ", sql=" + query.sql() + ", parameters="
                                        + query.parameters() + ", plan="
                                        + databases
                                                .fanOut()
                                                .explain(query.sql())
                                                .describe(),
                                e);
                    }
                }
            }
        }
        org.slf4j.LoggerFactory.getLogger(DifferentialTest.class).info("queries by plan: {}", tiers);
        assertTrue(tiers.getOrDefault("GroupedMerge", 0) > 50, tiers::toString);
        assertTrue(tiers.getOrDefault("Coordinated", 0) > 50, tiers::toString);
        assertEquals(0, tiers.getOrDefault("refused", 0), "the grammar has nothing to refuse: " + tiers);
    }

    private void compare(RandomQueries.Query query, Connection single, FanOut fanOut) throws SQLException {
        List<List<String>> expected = new ArrayList<>();
        List<String> columns;
        SQLException error = null;
        try (PreparedStatement statement = single.prepareStatement(query.sql())) {
            for (int i = 0; i < query.parameters().size(); i++) {
                statement.setObject(i + 1, query.parameters().get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                columns = columns(rows.getMetaData());
                expected = rows(rows);
            }
        } catch (SQLException refused) {
            columns = List.of();
            error = refused;
        }
        try (FanOutResult result = fanOut.query(query.sql(), query.parameters().toArray())) {
            List<String> found = columns(result.resultSet().getMetaData());
            List<List<String>> actual = rows(result.resultSet());
            assertEquals(null, error, "one database ends with an error");
            count(result.plan());
            assertEquals(columns, found);
            if (query.limited()) {
                assertEquals(expected.size(), actual.size());
            } else if (query.ordered()) {
                assertEquals(expected, actual);
            } else {
                assertEquals(sorted(expected), sorted(actual));
            }
        } catch (SQLFeatureNotSupportedException refused) {
            tiers.merge("refused", 1, Integer::sum);
            throw refused;
        } catch (SQLException failure) {
            if (error == null) {
                throw failure;
            }
            assertEquals(error.getSQLState(), failure.getSQLState());
        }
    }

    private void count(FanOutPlan plan) {
        tiers.merge(plan.getClass().getSimpleName(), 1, Integer::sum);
    }

    private static List<List<String>> sorted(List<List<String>> rows) {
        return rows.stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList();
    }

    private static List<String> columns(ResultSetMetaData metaData) throws SQLException {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= metaData.getColumnCount(); i++) {
            columns.add(metaData.getColumnLabel(i) + " " + metaData.getColumnType(i) + " "
                    + metaData.getColumnTypeName(i) + " " + metaData.getColumnClassName(i) + " "
                    + metaData.getPrecision(i) + " " + metaData.getScale(i));
        }
        return columns;
    }

    private static List<List<String>> rows(ResultSet rows) throws SQLException {
        List<List<String>> all = new ArrayList<>();
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                Object value = rows.getObject(i);
                assertEquals(value == null, rows.wasNull());
                row.add(
                        value == null
                                ? "null"
                                : rows.getString(i) + " " + value.getClass().getName());
            }
            all.add(row);
        }
        return all;
    }
}
