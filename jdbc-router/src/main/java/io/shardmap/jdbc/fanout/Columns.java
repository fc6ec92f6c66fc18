package io.shardmap.jdbc.fanout;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** Compares the columns of two servers. */
final class Columns {
    private Columns() {}

    static void requireSame(ServerRead first, ServerRead second) throws SQLException {
        ResultSetMetaData a = first.rows().getMetaData();
        ResultSetMetaData b = second.rows().getMetaData();
        if (a.getColumnCount() != b.getColumnCount()) {
            throw FanOutErrors.differentColumns(
                    first.name(), second.name(), "columns=" + a.getColumnCount() + " and " + b.getColumnCount());
        }
        for (int i = 1; i <= a.getColumnCount(); i++) {
            if (!a.getColumnLabel(i).equals(b.getColumnLabel(i)) || a.getColumnType(i) != b.getColumnType(i)) {
                throw FanOutErrors.differentColumns(
                        first.name(),
                        second.name(),
                        "column " + i + " is " + a.getColumnLabel(i) + " of JDBC type " + a.getColumnType(i) + " and "
                                + b.getColumnLabel(i) + " of JDBC type " + b.getColumnType(i));
            }
        }
        if (!first.sortTypes().equals(second.sortTypes())) {
            throw FanOutErrors.differentColumns(
                    first.name(), second.name(), "sort keys are " + first.sortTypes() + " and " + second.sortTypes());
        }
    }
}
