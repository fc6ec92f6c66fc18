package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.FanOutResult;
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

/** Holds answers of a fan-out against those of one database, and counts how they were found. */
final class Comparison {
    private final Map<String, Integer> tiers = new TreeMap<>();

    /** Returns how many queries were answered by each kind of plan. */
    Map<String, Integer> tiers() {
        return tiers;
    }

    int of(String plan) {
        return tiers.getOrDefault(plan, 0);
    }

    /** Runs a query on both; says which one it was when the answers differ. */
    void check(RandomQueries.Query query, long seed, Connection single, FanOut fanOut) throws SQLException {
        try {
            compare(query, single, fanOut);
        } catch (AssertionError | SQLException e) {
            throw new AssertionError(
                    "seed=" + seed + ", sql=" + query.sql() + ", parameters=" + query.parameters() + ", plan="
                            + fanOut.explain(query.sql()).describe(),
                    e);
        }
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
