package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Compares a fan-out with one database that holds the same rows. */
final class Differential {
    private Differential() {}

    static void compare(RandomQueries.Query query, Connection single, FanOut fanOut) throws SQLException {
        List<List<String>> expected;
        List<String> expectedColumns;
        try (PreparedStatement statement = single.prepareStatement(query.sql())) {
            for (int i = 0; i < query.parameters().size(); i++) {
                statement.setObject(i + 1, query.parameters().get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                expectedColumns = columns(rows.getMetaData());
                expected = rows(rows);
            }
        }
        try (FanOutResult result = fanOut.query(query.sql(), query.parameters().toArray())) {
            assertEquals(expectedColumns, columns(result.resultSet().getMetaData()));
            List<List<String>> actual = rows(result.resultSet());
            if (query.total()) {
                assertEquals(expected, actual);
                return;
            }
            assertEquals(expected.size(), actual.size());
            assertEquals(keys(expected, query.visibleKeys()), keys(actual, query.visibleKeys()));
            if (!query.limited()) {
                assertEquals(
                        expected.stream().map(List::toString).sorted().toList(),
                        actual.stream().map(List::toString).sorted().toList());
            }
        }
    }

    private static List<List<String>> keys(List<List<String>> rows, List<Integer> columns) {
        return rows.stream()
                .map(row -> columns.stream()
                        .map(column -> canonical(row.get(column - 1)))
                        .toList())
                .toList();
    }

    /** Makes values that sort as equal equal: 1.0 and 1.00, 0.0 and -0.0. */
    private static String canonical(String value) {
        if (value.endsWith("BigDecimal")) {
            return new BigDecimal(value.substring(0, value.indexOf(' ')))
                    .stripTrailingZeros()
                    .toPlainString();
        }
        return value.startsWith("-0.0 ") ? value.substring(1) : value;
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
                        value instanceof byte[] bytes
                                ? HexFormat.of().formatHex(bytes)
                                : value + (value == null ? "" : " " + value.getClass()));
            }
            all.add(row);
        }
        assertTrue(!rows.next());
        return all;
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
}
