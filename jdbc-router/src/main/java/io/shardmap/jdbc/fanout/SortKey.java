package io.shardmap.jdbc.fanout;

import java.util.List;

/**
 * One key of ORDER BY.
 *
 * @param expression what is sorted by, as SQL over the table's columns
 * @param serverSql the key in each server's ORDER BY, without direction
 * @param ordinal number of its column in the result, from 1, or 0 when it is a hidden column
 * @param hidden number among the hidden columns at the end of each server's select list, from 1, or 0 when it is a column of the result
 * @param descending whether the largest comes first
 * @param nullsFirst whether NULL comes first
 */
public record SortKey(
        String expression, String serverSql, int ordinal, int hidden, boolean descending, boolean nullsFirst) {

    /** Returns how many hidden columns the keys have. */
    static int hiddenColumns(List<SortKey> keys) {
        return keys.stream().mapToInt(SortKey::hidden).max().orElse(0);
    }

    /** Returns the key in each server's ORDER BY. */
    public String orderSql() {
        return serverSql + (descending ? " DESC" : " ASC") + (nullsFirst ? " NULLS FIRST" : " NULLS LAST");
    }

    @Override
    public String toString() {
        return expression
                + (descending ? " desc" : " asc")
                + (nullsFirst ? " nulls first" : " nulls last")
                + (hidden > 0 ? " (hidden column)" : "");
    }
}
