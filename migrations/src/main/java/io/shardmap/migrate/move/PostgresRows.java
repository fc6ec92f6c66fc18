package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** COPY, and what else is PostgreSQL's own. */
final class PostgresRows implements RowStore {
    @Override
    public RowStream open(Connection source, TableShape table, int virtualShard) throws SQLException {
        CopyPiece all = CopyPiece.of(source, table, virtualShard, 1).get(0);
        return CopyStream.open(source, all, CopyStream.Format.TEXT, bytes -> {});
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
    public Optional<OwnPartition> ownPartition(Connection connection, ShardedTable table, int virtualShard)
            throws SQLException {
        return OwnPartition.of(connection, table, virtualShard);
    }

    @Override
    public Map<String, ColumnSequence> sequences(Connection connection, TableShape table) throws SQLException {
        return ColumnSequence.of(connection, table.table());
    }
}
