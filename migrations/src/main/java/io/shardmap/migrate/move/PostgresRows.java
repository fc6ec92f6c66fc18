package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
        for (TableShape.Column column : table.columns()) {
            String name = table.table().sql();
            String here = sequence(source, name, column.name());
            String there = sequence(target, name, column.name());
            if (here != null && there != null) {
                long used = lastValue(source, here);
                try (PreparedStatement advance = target.prepareStatement("select setval(?::regclass, ?) from " + there
                        + " s join pg_sequence q on q.seqrelid = ?::regclass"
                        + " where q.seqincrement > 0 and s.last_value < ? and ? <= q.seqmax")) {
                    long value = used + SEQUENCE_MARGIN;
                    advance.setString(1, there);
                    advance.setLong(2, value);
                    advance.setString(3, there);
                    advance.setLong(4, used);
                    advance.setLong(5, value);
                    advance.execute();
                }
            }
        }
    }

    private static @Nullable String sequence(Connection connection, String table, String column) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select pg_get_serial_sequence(?, ?)")) {
            query.setString(1, table);
            query.setString(2, column);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getString(1);
            }
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
