package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The partition of a table that has all rows of a virtual shard, and no others: one list partition of the shard column, with one value.
 * Such a partition moves whole: it is made on the target when it is missing there, published without a row filter, and dropped on the
 * source instead of being emptied row by row. PostgreSQL only.
 *
 * @param table the partitioned table
 * @param schema the partition's schema
 * @param name the partition's name
 * @param virtualShard its one value
 * @param identity its replica identity, as {@code pg_class} writes it
 * @param made whether a move made it
 */
record OwnPartition(ShardedTable table, String schema, String name, int virtualShard, char identity, boolean made) {
    private static final String MADE = "made by a move of Shardmap";

    /** What waits for a lock makes others wait, so it waits for an instant; what must look at rows looks at none, or not for long. */
    private static final String BRIEFLY = "set local lock_timeout = '100ms'; set local statement_timeout = '2s'; ";

    /**
     * Returns the partition on a server; empty when the rows of the virtual shard have none of their own there, or it is not the role's to
     * read, publish and drop: who may use the table may not use its partitions.
     */
    static Optional<OwnPartition> of(Connection on, ShardedTable table, int virtualShard) throws SQLException {
        try (PreparedStatement query = on.prepareStatement("""
                select n.nspname, c.relname, c.relreplident::text,
                       obj_description(c.oid, 'pg_class') is not distinct from ?
                  from pg_partitioned_table p
                  join pg_class root on root.oid = p.partrelid
                  join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
                  join pg_inherits i on i.inhparent = p.partrelid and not i.inhdetachpending
                  join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
                  join pg_namespace n on n.oid = c.relnamespace
                 where p.partrelid = to_regclass(?) and p.partstrat = 'l' and p.partnatts = 1 and a.attname = ?
                   and pg_has_role(c.relowner, 'USAGE') and pg_has_role(root.relowner, 'USAGE')
                   and replace(pg_get_expr(c.relpartbound, c.oid), '''', '') = ?
                """)) {
            query.setString(1, MADE);
            query.setString(2, table.sql());
            query.setString(3, table.shardColumn());
            query.setString(4, "FOR VALUES IN (" + virtualShard + ")");
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? Optional.of(new OwnPartition(
                                table,
                                row.getString(1),
                                row.getString(2),
                                virtualShard,
                                row.getString(3).charAt(0),
                                row.getBoolean(4)))
                        : Optional.empty();
            }
        }
    }

    /** Returns the quoted name. */
    String sql() {
        return ShardedTable.quote(schema) + "." + ShardedTable.quote(name);
    }

    /** Returns schema and name, unquoted, as the stream names it. */
    String fullName() {
        return schema + "." + name;
    }

    /** Returns whether the other server has it under the same name, so that the one can be streamed into the other. */
    boolean matches(OwnPartition other) {
        return other.fullName().equals(fullName());
    }

    /**
     * Returns whether it can be made on another server, and has to be: a table that is partitioned by the same rule, the role's own, without
     * a partition that takes the rows, and a free name. A replica identity by index cannot be had, for the index there has another name.
     */
    boolean canBeMade(Connection on) throws SQLException {
        if (identity != 'd' && identity != 'f') {
            return false;
        }
        try (PreparedStatement query = on.prepareStatement("""
                select from pg_partitioned_table p
                  join pg_class root on root.oid = p.partrelid
                  join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
                 where p.partrelid = to_regclass(?) and p.partstrat = 'l' and p.partnatts = 1 and a.attname = ?
                   and pg_has_role(root.relowner, 'USAGE') and to_regclass(?) is null
                   and exists (select from pg_namespace n where n.nspname = ? and has_schema_privilege(n.oid, 'CREATE'))
                """)) {
            query.setString(1, table.sql());
            query.setString(2, table.shardColumn());
            query.setString(3, sql());
            query.setString(4, schema);
            try (ResultSet row = query.executeQuery()) {
                return row.next() && !takes(on, table, virtualShard);
            }
        }
    }

    /** Returns whether a table that is partitioned by the shard column alone has a partition for the virtual shard's rows. */
    static boolean takes(Connection on, ShardedTable table, int virtualShard) throws SQLException {
        List<String> constraints = new ArrayList<>();
        try (PreparedStatement query =
                on.prepareStatement("select coalesce(pg_get_partition_constraintdef(inhrelid), 'true') from pg_inherits"
                        + " where inhparent = to_regclass(?)")) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    constraints.add("(" + row.getString(1) + ")");
                }
            }
        }
        if (constraints.isEmpty()) {
            return false;
        }
        try (Statement query = on.createStatement();
                ResultSet row = query.executeQuery("select " + String.join(" or ", constraints) + " from (select "
                        + table.columnSql() + " from " + table.sql() + " where false union all select " + virtualShard
                        + ") as row (" + table.columnSql() + ")")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /**
     * Makes it, empty, in the caller's transaction: attached by its parent's columns, keys, indexes and guards. Nobody's statement waits for
     * that longer than an instant; then this fails as locks do.
     */
    void make(Connection on) throws SQLException {
        try (Statement statement = on.createStatement()) {
            statement.execute(
                    BRIEFLY + "create table " + sql() + " (like " + table.sql()
                            + " including defaults including constraints including generated including storage including compression)");
            statement.execute("comment on table " + sql() + " is '" + MADE + "'");
            if (identity == 'f') {
                statement.execute("alter table " + sql() + " replica identity full");
            }
            if (isGuarded(on)) {
                // Partitions inherit triggers for each row, but none for a statement.
                statement.execute("create trigger shardmap_guard_truncate before truncate on " + sql()
                        + " for each statement execute function shardmap.guard_truncate()");
            }
            statement.execute("alter table " + table.sql() + " attach partition " + sql() + " for values in ("
                    + virtualShard + ")");
        }
    }

    private boolean isGuarded(Connection on) throws SQLException {
        try (PreparedStatement query = on.prepareStatement(
                "select from pg_trigger where tgrelid = to_regclass(?) and tgname = 'shardmap_guard_truncate'")) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Drops it with its rows, in the caller's transaction; waits for locks as {@link #make} does. */
    void drop(Connection on) throws SQLException {
        try (Statement statement = on.createStatement()) {
            // By itself a table that others point to cannot be dropped.
            statement.execute(BRIEFLY + "alter table " + table.sql() + " detach partition " + sql());
            statement.execute("drop table " + sql());
        }
    }
}
