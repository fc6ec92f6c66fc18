package io.shardmap.migrate.table;

import io.shardmap.ShardedTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table as one server has it.
 *
 * @param table the table as the map registers it
 * @param fullName schema and name as the server resolves them, unquoted, such as {@code public.book}
 * @param columns all columns in the server's order
 * @param references full names of the tables its foreign keys point to
 * @param referencedBy full names of the tables whose foreign keys point to it
 * @param triggers names of enabled triggers other than Shardmap's guards
 */
public record TableShape(
        ShardedTable table,
        String fullName,
        List<Column> columns,
        Set<String> references,
        Set<String> referencedBy,
        List<String> triggers) {

    /**
     * A column.
     *
     * @param name name, unquoted
     * @param type type with its modifiers, as the server writes it
     * @param nullable whether it may be null
     * @param generated whether the server computes it, so that it cannot be written
     */
    public record Column(String name, String type, boolean nullable, boolean generated) {
        private static final Set<String> INTEGER_TYPES =
                Set.of("smallint", "integer", "bigint", "SMALLINT", "INTEGER", "BIGINT");

        /** Returns whether the column can hold the number of a virtual shard: an integer type of at least two bytes. */
        public boolean isInteger() {
            return INTEGER_TYPES.contains(type);
        }
    }

    /** Copies the parts. */
    public TableShape {
        columns = List.copyOf(columns);
        references = Set.copyOf(references);
        referencedBy = Set.copyOf(referencedBy);
        triggers = List.copyOf(triggers);
    }

    /** Returns the column of a name, if there is one. */
    public Optional<Column> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** Returns the quoted names of the columns that can be written, in the order of this shape, with commas. */
    public String writableColumnsSql() {
        return String.join(
                ", ",
                columns.stream()
                        .filter(column -> !column.generated())
                        .map(column -> ShardedTable.quote(column.name()))
                        .toList());
    }

    /** Returns whether rows of the table may reference each other. */
    public boolean referencesItself() {
        return references.contains(fullName);
    }
}
