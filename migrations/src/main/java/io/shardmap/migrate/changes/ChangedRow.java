package io.shardmap.migrate.changes;

import java.util.List;

/**
 * A row that was inserted, updated or deleted.
 *
 * @param table full name of its table, unquoted, such as {@code public.book}
 * @param columns names of the columns of the table's replica identity, unquoted
 * @param key their values, as text in the order of the columns
 */
public record ChangedRow(String table, List<String> columns, List<String> key) {
    /** Copies the lists. */
    public ChangedRow {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }
}
