package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks for what keeps tables from moving right, whatever the method. Changes nothing. */
final class TablesPreflight {
    private final List<PreflightProblem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    List<PreflightProblem> problems() {
        return problems;
    }

    /** Returns what is not in the way, but good to know. */
    List<String> notes() {
        return notes;
    }

    /**
     * Looks at the foreign keys of all tables of a server. Without the shard columns a row may point to one of another virtual shard, which
     * goes elsewhere and is deleted here, perhaps with those that point to it.
     */
    void across(Server server, List<TableShape> tables) {
        for (TableShape table : tables) {
            for (TableShape.ForeignKey key : table.foreignKeys()) {
                for (TableShape other : tables) {
                    ShardedTable here = table.table();
                    if (key.references().equals(other.fullName())
                            && !key.keeps(here.shardColumn(), other.table().shardColumn())) {
                        add(
                                Kind.FOREIGN_KEY_ACROSS,
                                "foreign key between sharded tables must pair their shard columns: server="
                                        + server.name() + ", table=" + here.qualifiedName() + ", foreignKey="
                                        + key.name() + ", pairs=" + key.pairs() + ", missing=" + here.columnSql()
                                        + " = " + other.table().columnSql() + "; add it, or drop the foreign key");
                    }
                }
            }
        }
    }

    /** Looks at one table on source and target, both PostgreSQL. */
    void look(TableShape table, Server source, Connection from, Server target, Connection to, int shard)
            throws SQLException {
        ShardedTable sharded = table.table();
        largeObjects(sharded, source, from);
        rowSecurity(sharded, source, from);
        rowSecurity(sharded, target, to);
        partitions(table, from, target, to, shard);
        problems.addAll(SequencesPreflight.look(sharded, source, from, target, to));
        uniqueKeys(sharded, target, to);
    }

    /** Compares the columns, and looks for triggers. */
    void compare(TableShape here, TableShape there, Server source, Server target) {
        ShardedTable table = here.table();
        Set<TableShape.Column> differing = new TreeSet<>(Comparator.comparing(TableShape.Column::toString));
        differing.addAll(here.columns().stream()
                .filter(column -> !there.columns().contains(column))
                .toList());
        differing.addAll(there.columns().stream()
                .filter(column -> !here.columns().contains(column))
                .toList());
        if (!differing.isEmpty()) {
            add(
                    Kind.COLUMNS_DIFFER,
                    "columns must be the same on source and target: table=" + table.qualifiedName() + ", differing="
                            + differing.stream()
                                    .map(TableShape.Column::name)
                                    .distinct()
                                    .collect(Collectors.joining(", "))
                            + "; run `shardmap schema migrate`");
        }
        triggers(table, source, here);
        triggers(table, target, there);
    }

    private void triggers(ShardedTable table, Server server, TableShape shape) {
        if (!shape.triggers().isEmpty()) {
            add(
                    Kind.USER_TRIGGER,
                    "no trigger may fire for moved rows: server=" + server.name() + ", table=" + table.qualifiedName()
                            + ", triggers=" + shape.triggers() + "; disable them for the time of the move");
        }
    }

    /** The row has only the number of the object, and the other server has another object of that number, or none. */
    private void largeObjects(ShardedTable table, Server server, Connection connection) throws SQLException {
        String columns = text(connection, """
                with recursive held (place, type) as (
                    select attname::text, atttypid from pg_attribute
                     where attrelid = to_regclass(?) and attnum > 0 and not attisdropped
                    union
                    select held.place, part.type from held join pg_type t on t.oid = held.type join lateral (
                        select t.typbasetype where t.typtype = 'd'
                        union all select t.typelem where t.typcategory = 'A'
                        union all select a.atttypid from pg_attribute a
                                   where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) part (type) on true)
                select string_agg(distinct place, ', ') from held where type = 'oid'::regtype
                """, table.sql());
        if (columns != null) {
            add(
                    Kind.LARGE_OBJECT,
                    "no column may hold large objects, for they would stay behind: server=" + server.name() + ", table="
                            + table.qualifiedName() + ", columns=" + columns
                            + "; make it bytea, or bigint if it is only a number");
        }
    }

    private void rowSecurity(ShardedTable table, Server server, Connection connection) throws SQLException {
        String role = text(
                connection,
                "select current_user from pg_class where oid = to_regclass(?) and row_security_active(oid)",
                table.sql());
        if (role != null) {
            add(
                    Kind.ROW_SECURITY,
                    "row security must not hide rows from the mover: server=" + server.name() + ", table="
                            + table.qualifiedName() + ", role=" + role
                            + "; alter role ... bypassrls, or alter table ... no force row level security");
        }
    }

    /** Each partition's own constraint is asked, where the shard column alone decides; else there must be a partition at all. */
    private void partitions(TableShape shape, Connection from, Server server, Connection connection, int shard)
            throws SQLException {
        ShardedTable table = shape.table();
        boolean byShardColumn;
        boolean leaves;
        try (PreparedStatement query = connection.prepareStatement("""
                select p.partnatts = 1 and p.partattrs[0] = a.attnum,
                       exists (select from pg_partition_tree(p.partrelid) where isleaf)
                  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attname = ?
                 where p.partrelid = to_regclass(?)
                """)) {
            query.setString(1, table.shardColumn());
            query.setString(2, table.sql());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return;
                }
                byShardColumn = row.getBoolean(1);
                leaves = row.getBoolean(2);
            }
        }
        if (leaves && (!byShardColumn || OwnPartition.takes(connection, table, shard))) {
            return;
        }
        Optional<OwnPartition> own = OwnPartition.of(from, table, shard);
        if (own.isPresent() && own.get().canBeMade(connection)) {
            notes.add("partition will be made on the target, with what its table says: server=" + server.name()
                    + ", table=" + table.qualifiedName() + ", partition="
                    + own.get().fullName());
        } else {
            noPartition(table, server, shard);
        }
    }

    private void noPartition(ShardedTable table, Server server, int shard) {
        add(
                Kind.PARTITION_MISSING,
                "target must have a partition for the virtual shard: server=" + server.name() + ", table="
                        + table.qualifiedName() + ", virtualShard=" + shard + "; create table ... partition of");
    }

    private void uniqueKeys(ShardedTable table, Server server, Connection connection) throws SQLException {
        String keys = text(connection, """
                select string_agg(i.indexrelid::regclass::text, ', ' order by 1) from pg_index i
                 where i.indrelid = to_regclass(?) and (i.indisunique or i.indisexclusion)
                   and not exists (select from pg_attribute a
                         where a.attrelid = i.indrelid and a.attname = ?
                           and a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1]))
                """, table.sql(), table.shardColumn());
        if (keys != null) {
            notes.add(
                    "unique keys without the shard column refuse rows whose values another virtual shard of the target has: server="
                            + server.name() + ", table=" + table.qualifiedName() + ", keys=" + keys
                            + "; add the shard column, unless the values differ by nature");
        }
    }

    private static @Nullable String text(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                query.setString(i + 1, values[i]);
            }
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private void add(Kind kind, String message) {
        problems.add(new PreflightProblem(kind, message));
    }
}
