package io.shardmap.migrate.changes;

import io.shardmap.migrate.changes.ChangedRows.Change;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares changed rows of a virtual shard on two servers, by hashes. Immutable. */
public final class RowComparison {
    private record Part(TableShape table, List<Change> changes, RowDigests digests) {}

    private final List<Part> parts = new ArrayList<>();

    /**
     * Prepares a comparison.
     *
     * @param tables the tables as the first of the two servers has them
     * @param changes the rows by the full names of their tables, see {@link ChangedRows#unsettled}
     */
    public RowComparison(List<TableShape> tables, int virtualShard, Map<String, List<Change>> changes) {
        Map<String, TableShape> byName = new HashMap<>();
        tables.forEach(table -> byName.put(table.fullName(), table));
        changes.forEach((name, all) -> {
            TableShape table = byName.get(name);
            if (table == null) {
                throw new IllegalStateException("publication must hold only tables of the map: table=" + name);
            }
            // The replica identity may have changed: its columns are told with each row.
            Map<List<String>, List<Change>> byColumns = new LinkedHashMap<>();
            all.forEach(change -> byColumns
                    .computeIfAbsent(change.row().columns(), columns -> new ArrayList<>())
                    .add(change));
            byColumns.forEach(
                    (columns, same) -> parts.add(new Part(table, same, new RowDigests(table, columns, virtualShard))));
        });
    }

    /** What the rows are on one server: opaque. */
    public static final class Digests {
        private final List<@Nullable String[]> hashes = new ArrayList<>();

        private Digests() {}
    }

    /** Reads what the rows are, in the transaction of a connection. */
    public Digests read(Connection connection) throws SQLException {
        Digests digests = new Digests();
        for (Part part : parts) {
            digests.hashes.add(part.digests.read(connection, part.changes));
        }
        return digests;
    }

    /** Returns those that are the same in both, also those that are missing in both. */
    public List<Change> equal(Digests here, Digests there) {
        List<Change> equal = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            for (int row = 0; row < parts.get(i).changes.size(); row++) {
                if (Objects.equals(here.hashes.get(i)[row], there.hashes.get(i)[row])) {
                    equal.add(parts.get(i).changes.get(row));
                }
            }
        }
        return equal;
    }

    /** Returns the first difference, null when there is none. */
    public @Nullable String difference(Digests here, Digests there) {
        for (int i = 0; i < parts.size(); i++) {
            for (int row = 0; row < parts.get(i).changes.size(); row++) {
                String source = here.hashes.get(i)[row];
                String target = there.hashes.get(i)[row];
                if (!Objects.equals(source, target)) {
                    ChangedRow changed = parts.get(i).changes.get(row).row();
                    return "table=" + parts.get(i).table.table().qualifiedName() + ", row=" + changed.columns() + "="
                            + changed.key() + ", source=" + said(source) + ", target=" + said(target);
                }
            }
        }
        return null;
    }

    private static String said(@Nullable String hash) {
        return hash == null ? "no such row" : "hash " + hash;
    }
}
