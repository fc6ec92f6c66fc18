package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks for what keeps tables from being streamed to another server. Changes nothing. */
final class StreamedTables {
    private final Server source;
    private final Connection from;
    private final Server target;
    private final Connection to;
    private final List<PreflightProblem> problems = new ArrayList<>();

    StreamedTables(Server source, Connection from, Server target, Connection to) {
        this.source = source;
        this.from = from;
        this.target = target;
        this.to = to;
    }

    List<PreflightProblem> problems(List<ShardedTable> tables) throws SQLException {
        for (ShardedTable table : tables) {
            owner(table);
            guard(table);
            identity(source, from, table);
            identity(target, to, table);
            equality(source, from, table);
        }
        return problems;
    }

    private void owner(ShardedTable table) throws SQLException {
        try (PreparedStatement query = from.prepareStatement(
                "select current_user from pg_class where oid = to_regclass(?) and not pg_has_role(relowner, 'USAGE')")) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                if (row.next()) {
                    add(
                            Kind.NO_REPLICATION_PRIVILEGE,
                            "mover must own the tables that it publishes: server=" + source.name() + ", table="
                                    + table.qualifiedName() + ", role=" + row.getString(1)
                                    + "; alter table ... owner to, or grant it the owner's role");
                }
            }
        }
    }

    /**
     * The guard keeps a row from changing its virtual shard, which a stream would bring without the values that did not change, and a
     * table from a TRUNCATE, which it would not bring at all.
     */
    private void guard(ShardedTable table) throws SQLException {
        try (PreparedStatement query = from.prepareStatement("""
                select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                 where t.tgrelid = to_regclass(?) and t.tgname = 'shardmap_guard' and t.tgenabled in ('O', 'A')
                   and p.prosrc like '%SM007%'
                """)) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    add(
                            Kind.GUARD_MISSING,
                            "table must have its guard, enabled and of this version: server=" + source.name()
                                    + ", table=" + table.qualifiedName() + "; run `shardmap table add` again");
                }
            }
        }
    }

    /** A filter column outside the replica identity makes every UPDATE and DELETE of the application fail once it is published. */
    private void identity(Server server, Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select c.oid::regclass::text from pg_class c
                where (c.oid = to_regclass(?) or c.oid in (select relid from pg_partition_tree(to_regclass(?))))
                  and not (c.relreplident = 'f' or exists (
                      select from pg_index i join pg_attribute a on a.attrelid = c.oid
                           and a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
                      where i.indrelid = c.oid and a.attname = ?
                        and (c.relreplident = 'd' and i.indisprimary or c.relreplident = 'i' and i.indisreplident)))
                order by 1
                """)) {
            query.setString(1, table.sql());
            query.setString(2, table.sql());
            query.setString(3, table.shardColumn());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    add(
                            Kind.REPLICA_IDENTITY,
                            "replica identity of a table must cover the shard column: server=" + server.name()
                                    + ", table=" + row.getString(1) + ", column=" + table.shardColumn()
                                    + "; add the column to the primary key, or alter table ... replica identity using"
                                    + " index, or full");
                }
            }
        }
    }

    /** Whoever is identified by all its values is found by their equality, which not every type has. */
    private void equality(Server server, Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select string_agg(quote_ident(a.attname), ', ') from pg_class c
                  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                 where c.oid = to_regclass(?) and c.relreplident = 'f'
                """)) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                String columns = row.next() ? row.getString(1) : null;
                if (columns == null) {
                    return;
                }
                try (Statement probe = connection.createStatement()) {
                    probe.execute("select distinct " + columns + " from " + table.sql() + " limit 0");
                } catch (SQLException failure) {
                    add(
                            Kind.REPLICA_IDENTITY,
                            "full replica identity must have only values that can be compared: server=" + server.name()
                                    + ", table=" + table.qualifiedName() + ", error=" + failure.getMessage()
                                    + "; add a primary key");
                }
            }
        }
    }

    private void add(Kind kind, String message) {
        problems.add(new PreflightProblem(kind, message));
    }
}
