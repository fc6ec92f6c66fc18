package io.shardmap.migrate.changes;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.changes.ChangedRows.Change;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;

/** Hashes of single rows of one table, found by their keys. */
final class RowDigests {
    private static final int AT_ONCE = 500;

    private final TableShape table;
    private final List<String> columns;
    private final int virtualShard;
    private final String sql;

    /** Prepares to read rows of a virtual shard by the values of some columns. */
    RowDigests(TableShape table, List<String> columns, int virtualShard) {
        this.table = table;
        this.columns = columns;
        this.virtualShard = virtualShard;
        this.sql = sql();
    }

    private String sql() {
        StringJoiner row = new StringJoiner(", ", "row(", ")::text");
        table.columns().forEach(column -> row.add("t." + ShardedTable.quote(column.name())));
        StringJoiner arrays = new StringJoiner(", ");
        StringJoiner names = new StringJoiner(", ");
        StringJoiner match = new StringJoiner(" and ");
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            String type = table.column(column)
                    .orElseThrow(() -> new IllegalStateException("column of the key must be known: " + column))
                    .type();
            arrays.add("?::text[]");
            names.add("k" + i);
            match.add("t." + ShardedTable.quote(column) + " = k.k" + i + "::" + type);
        }
        return "select k.place, hashtextextended(" + row + ", 0) from unnest(" + arrays + ") with ordinality k ("
                + names
                + ", place) join " + table.table().sql() + " t on " + match + " where t."
                + table.table().columnSql() + " = ?";
    }

    /** Returns the hash of each row as text, and nothing for a row that is not there. */
    @org.jspecify.annotations.Nullable
    String[] read(Connection connection, List<Change> changes) throws SQLException {
        String[] digests = new String[changes.size()];
        for (int from = 0; from < digests.length; from += AT_ONCE) {
            read(connection, changes.subList(from, Math.min(from + AT_ONCE, digests.length)), from, digests);
        }
        return digests;
    }

    private void read(Connection connection, List<Change> changes, int offset, String[] digests) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < columns.size(); i++) {
                int place = i;
                Object[] values = changes.stream()
                        .map(change -> change.row().key().get(place))
                        .toArray();
                query.setArray(i + 1, connection.createArrayOf("text", values));
            }
            query.setInt(columns.size() + 1, virtualShard);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    digests[offset + row.getInt(1) - 1] = row.getString(2);
                }
            }
        }
    }
}
