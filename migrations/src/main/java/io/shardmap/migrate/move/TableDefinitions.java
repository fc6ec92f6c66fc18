package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What both PostgreSQL servers of a move said their tables were when it began, to be held against what they say under the lock of the
 * cut-over. The copy and its comparisons know the columns of the beginning only; a column that appears on both servers meanwhile would
 * go through neither.
 */
final class TableDefinitions {
    /**
     * One row per table and one round trip, because writers wait for it: each column with all that decides what it holds, what identifies
     * a row, and the files of the table and its partitions, which are others after a TRUNCATE or a rewrite: neither goes through a stream.
     * Partitions that can have only rows of one other virtual shard do not matter, and may come and go with the moves of that one.
     */
    private static final String READ = """
            select asked.name, (
                select string_agg(concat_ws(' ', a.attnum, quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
                        a.attcollation::regcollation, case when a.attnotnull then 'not null' end,
                        case a.attgenerated when '' then null else 'generated' end,
                        case a.attidentity when '' then null else 'identity' end, pg_get_expr(d.adbin, d.adrelid)), ', ' order by a.attname)
                from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) || (
                with recursive part (oid) as (
                    select c.oid union all select i.inhrelid from pg_inherits i join part on part.oid = i.inhparent
                     where not exists (
                        select from pg_partitioned_table t join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
                          join pg_class other on other.oid = i.inhrelid
                        where t.partrelid = c.oid and i.inhparent = c.oid and t.partstrat = 'l' and t.partnatts = 1
                          and a.attname = asked.shard_column
                          and replace(pg_get_expr(other.relpartbound, other.oid), '''', '') ~ '^FOR VALUES IN \\(\\d+\\)$'
                          and replace(pg_get_expr(other.relpartbound, other.oid), '''', '') <> 'FOR VALUES IN (' || ? || ')'))
                select string_agg(concat_ws(' ', '; file', p.relname, p.relfilenode, 'identity', p.relreplident, (
                        select string_agg(concat(case when i.indisprimary then 'primary ' end, i.indkey), ' ' order by i.indexrelid)
                        from pg_index i where i.indrelid = p.oid and (i.indisprimary or i.indisreplident))), '' order by p.oid)
                from part join pg_class p on p.oid = part.oid)
            from unnest(?::text[], ?::text[]) with ordinality asked(name, shard_column, place)
            left join pg_class c on c.oid = to_regclass(asked.name) and c.relkind in ('r', 'p')
            order by asked.place
            """;

    private final Run run;
    private final Set<ShardedTable> tables;
    private final Map<String, String> onSource;
    private final Map<String, String> onTarget;

    private TableDefinitions(Run run) {
        this.run = run;
        this.tables = run.tables();
        this.onSource = read(run.source());
        this.onTarget = read(run.target());
    }

    /** Reads what the tables are now. */
    static TableDefinitions of(Run run) {
        return new TableDefinitions(run);
    }

    /**
     * Keeps the source's tables from changing until the transaction ends. Writers wait meanwhile, so whoever changes one now is waited for
     * an instant only; then this fails as locks do.
     */
    void hold(Connection source) throws SQLException {
        if (!tables.isEmpty()) {
            try (Statement statement = source.createStatement()) {
                statement.execute("set local lock_timeout = '100ms'; lock table "
                        + String.join(
                                ", ", tables.stream().map(ShardedTable::sql).toList())
                        + " in access share mode; set local lock_timeout = '2s'");
            }
        }
    }

    /**
     * Requires that the source's are the same still. Whether the map has other tables by now is asked by the switch.
     *
     * @throws ShardMapException with {@link ErrorCode#VERIFICATION} when they are not
     */
    void requireSourceUnchanged(Connection source) throws SQLException {
        requireUnchanged("source", onSource, read(source));
    }

    /** Like {@link #requireSourceUnchanged}. */
    void requireTargetUnchanged(MoverSession target) {
        requireUnchanged("target", onTarget, read(target));
    }

    private void requireUnchanged(String side, Map<String, String> before, Map<String, String> now) {
        before.forEach((table, definition) -> {
            String found = now.getOrDefault(table, "");
            if (!found.equals(definition)) {
                throw changed(table + " on the " + side, definition, found);
            }
        });
    }

    private ShardMapException changed(String what, String before, String now) {
        return new ShardMapException(
                ErrorCode.VERIFICATION,
                "tables must stay as they are while a virtual shard moves: virtualShard=" + run.place() + ", changed="
                        + what
                        + ", before=[" + before + "], now=[" + now
                        + "]; nothing is lost, the source serves as before: finish the roll-out on all servers, then start the move again");
    }

    private Map<String, String> read(MoverSession session) {
        return session.read("read the tables' definitions", (on, dialect) -> read(on));
    }

    private Map<String, String> read(Connection on) throws SQLException {
        List<ShardedTable> asked = new ArrayList<>(tables);
        Map<String, String> definitions = new LinkedHashMap<>();
        try (PreparedStatement query = on.prepareStatement(READ)) {
            query.setString(1, Integer.toString(run.place().virtualShard()));
            query.setArray(
                    2,
                    on.createArrayOf(
                            "text", asked.stream().map(ShardedTable::sql).toArray()));
            query.setArray(
                    3,
                    on.createArrayOf(
                            "text",
                            asked.stream().map(ShardedTable::shardColumn).toArray()));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    String definition = row.getString(2);
                    definitions.put(row.getString(1), definition == null ? "no such table" : definition);
                }
            }
        }
        return definitions;
    }
}
