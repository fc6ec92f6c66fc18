package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** COPY, and what else is PostgreSQL's own. */
final class PostgresRows implements RowStore {
    /** Keeps a sequence above values taken while it is being advanced. */
    private static final int SEQUENCE_MARGIN = 1_000;

    @Override
    public RowStream open(Connection source, TableShape table, int virtualShard) throws SQLException {
        return CopyStream.open(
                source, table, table.table().columnSql() + " = " + virtualShard, CopyStream.Format.TEXT, bytes -> {});
    }

    @Override
    public Digest digest(Connection connection, TableShape table, int virtualShard) throws SQLException {
        String row = table.columns().stream()
                .map(column -> ShardedTable.quote(column.name()))
                .collect(Collectors.joining(", ", "row(", ")::text"));
        try (PreparedStatement query = connection.prepareStatement(
                "select count(*), coalesce(sum(hashtextextended(" + row + ", 0)::numeric), 0)::text from "
                        + table.table().sql() + " where " + table.table().columnSql() + " = ?")) {
            query.setInt(1, virtualShard);
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return new Digest(result.getLong(1), result.getString(2));
            }
        }
    }

    @Override
    public boolean any(Connection connection, TableShape table, int virtualShard) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select exists (select 1 from "
                + table.table().sql() + " where " + table.table().columnSql() + " = ?)")) {
            query.setInt(1, virtualShard);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Override
    public int delete(Connection connection, TableShape table, int virtualShard, int limit) throws SQLException {
        String name = table.table().sql();
        String column = table.table().columnSql();
        try (PreparedStatement delete = connection.prepareStatement("delete from " + name + " where " + column
                + " = ? and ctid = any (array(select ctid from " + name + " where " + column + " = ? limit ?))")) {
            delete.setInt(1, virtualShard);
            delete.setInt(2, virtualShard);
            delete.setInt(3, limit);
            return delete.executeUpdate();
        }
    }

    @Override
    public void advanceSequences(Connection source, Connection target, TableShape table) throws SQLException {
        Map<String, String> here = sequences(source, table);
        if (here.isEmpty()) {
            return;
        }
        Map<String, String> there = sequences(target, table);
        for (Map.Entry<String, String> column : here.entrySet()) {
            String sequence = there.get(column.getKey());
            if (sequence != null) {
                advance(target, sequence, lastValue(source, column.getValue()));
            }
        }
    }

    private static void advance(Connection target, String sequence, long used) throws SQLException {
        try (PreparedStatement advance = target.prepareStatement("select setval(?::regclass, ?) from " + sequence
                + " s join pg_sequence q on q.seqrelid = ?::regclass"
                + " where q.seqincrement > 0 and s.last_value < ? and ? <= q.seqmax")) {
            long value = used + SEQUENCE_MARGIN;
            advance.setString(1, sequence);
            advance.setLong(2, value);
            advance.setString(3, sequence);
            advance.setLong(4, used);
            advance.setLong(5, value);
            advance.execute();
        }
    }

    /** Returns the sequences that belong to columns, by column; in one round trip, because writers wait for it. */
    private static Map<String, String> sequences(Connection connection, TableShape table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select name, sequence
                  from (select attname as name, pg_get_serial_sequence(?, attname) as sequence from pg_attribute
                         where attrelid = to_regclass(?) and attnum > 0 and not attisdropped) columns
                 where sequence is not null
                """)) {
            query.setString(1, table.table().sql());
            query.setString(2, table.table().sql());
            Map<String, String> sequences = new HashMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    sequences.put(row.getString(1), row.getString(2));
                }
            }
            return sequences;
        }
    }

    private static long lastValue(Connection connection, String sequence) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select last_value from " + sequence);
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
