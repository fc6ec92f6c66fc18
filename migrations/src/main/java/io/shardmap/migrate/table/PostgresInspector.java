package io.shardmap.migrate.table;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads {@code pg_catalog}. */
final class PostgresInspector implements TableInspector {

    @Override
    public Optional<TableShape> inspect(Connection connection, ShardedTable table) throws SQLException {
        String schema;
        String name;
        try (PreparedStatement query = connection.prepareStatement("""
                select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where c.oid = to_regclass(?) and c.relkind in ('r', 'p')
                """)) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                schema = row.getString(1);
                name = row.getString(2);
            }
        }
        ForeignKeys keys = ForeignKeys.of(connection, schema, name);
        return Optional.of(new TableShape(
                table,
                schema + "." + name,
                columns(connection, table),
                keys.keys(),
                referencedBy(connection, table),
                triggers(connection, table)));
    }

    private static List<TableShape.Column> columns(Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select attname, format_type(atttypid, atttypmod), not attnotnull, attgenerated <> ''
                from pg_attribute where attrelid = to_regclass(?) and attnum > 0 and not attisdropped order by attnum
                """)) {
            query.setString(1, table.sql());
            List<TableShape.Column> columns = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    columns.add(new TableShape.Column(
                            row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4)));
                }
            }
            return columns;
        }
    }

    /** The driver would name the partitions of a table with a foreign key too, and leave out who points to a partition. */
    private static Set<String> referencedBy(Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select n.nspname || '.' || c.relname
                from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
                where k.contype = 'f' and k.conparentid = 0
                  and (k.confrelid = to_regclass(?) or k.confrelid in (select relid from pg_partition_tree(to_regclass(?))))
                """)) {
            query.setString(1, table.sql());
            query.setString(2, table.sql());
            Set<String> tables = new TreeSet<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    tables.add(row.getString(1));
                }
            }
            return tables;
        }
    }

    private static List<String> triggers(Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select case when t.tgrelid = to_regclass(?) then '' else t.tgrelid::regclass || '.' end || t.tgname from pg_trigger t
                where (t.tgrelid = to_regclass(?) or t.tgrelid in (select relid from pg_partition_tree(to_regclass(?))))
                  and not t.tgisinternal and t.tgparentid = 0 and t.tgenabled <> 'D'
                  and t.tgname not in ('shardmap_guard', 'shardmap_guard_truncate') order by 1
                """)) {
            query.setString(1, table.sql());
            query.setString(2, table.sql());
            query.setString(3, table.sql());
            List<String> triggers = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    triggers.add(row.getString(1));
                }
            }
            return triggers;
        }
    }
}
