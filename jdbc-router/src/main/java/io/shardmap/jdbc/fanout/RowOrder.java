package io.shardmap.jdbc.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of a merge.
 *
 * @param keys the keys of ORDER BY
 * @param types the type of each
 */
record RowOrder(List<SortKey> keys, List<SortType> types) {

    /** Reads the sort values of the current row. */
    @Nullable
    Object[] values(ResultSet row, int columns, int hiddenColumns) throws SQLException {
        @Nullable Object[] values = new Object[keys.size()];
        for (int i = 0; i < values.length; i++) {
            SortKey key = keys.get(i);
            int column = key.hidden() > 0 ? columns - hiddenColumns + key.hidden() : key.ordinal();
            values[i] = types.get(i).read(row, column);
        }
        return values;
    }

    int compare(@Nullable Object[] a, @Nullable Object[] b) {
        for (int i = 0; i < a.length; i++) {
            int result = compare(i, a[i], b[i]);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }

    private int compare(int i, @Nullable Object a, @Nullable Object b) {
        SortKey key = keys.get(i);
        if (a == null || b == null) {
            if (a == b) {
                return 0;
            }
            return (a == null) == key.nullsFirst() ? -1 : 1;
        }
        int result = types.get(i).compare(a, b);
        return key.descending() ? -Integer.signum(result) : result;
    }
}
