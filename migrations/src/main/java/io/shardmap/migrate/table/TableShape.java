package io.shardmap.migrate.table;

import io.shardmap.ShardedTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table as one server has it.
 *
 * @param table the table as the map registers it
 * @param fullName schema and name as the server resolves them, unquoted, such as {@code public.book}
 * @param columns all columns in the server's order
 * @param foreignKeys its foreign keys
 * @param referencedBy full names of the tables whose foreign keys point to it
 * @param triggers names of enabled triggers other than Shardmap's guards
 */
public record TableShape(
        ShardedTable table,
        String fullName,
        List<Column> columns,
        List<ForeignKey> foreignKeys,
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

    /**
     * A foreign key.
     *
     * @param name its name
     * @param references full name of the table that it points to
     * @param pairs each of its columns with the one that it must be equal to
     */
    public record ForeignKey(String name, String references, List<String> pairs) {
        /** Copies the list. */
        public ForeignKey {
            pairs = List.copyOf(pairs);
        }

        static String pair(String column, String referenced) {
            return ShardedTable.quote(column) + " = " + ShardedTable.quote(referenced);
        }

        /** Returns whether a row can point only to rows with the same value in these columns. */
        public boolean keeps(String column, String referenced) {
            return pairs.contains(pair(column, referenced));
        }
    }

    /** Copies the parts. */
    public TableShape {
        columns = List.copyOf(columns);
        foreignKeys = List.copyOf(foreignKeys);
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

    /** Returns the full names of the tables that its foreign keys point to. */
    public Set<String> references() {
        return foreignKeys.stream().map(ForeignKey::references).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether rows of the table may reference each other. */
    public boolean referencesItself() {
        return references().contains(fullName);
    }
}
