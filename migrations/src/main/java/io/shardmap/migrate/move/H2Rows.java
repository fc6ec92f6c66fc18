package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableShape;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Objects from a query into an insert; hashes are computed here, for H2 has no order-independent one. */
final class H2Rows implements RowStore {

    @Override
    public RowStream open(Connection source, TableShape table, int virtualShard) throws SQLException {
        int columns = (int)
                table.columns().stream().filter(column -> !column.generated()).count();
        PreparedStatement query = source.prepareStatement("select " + table.writableColumnsSql() + " from "
                + table.table().sql() + " where " + table.table().columnSql() + " = ?");
        query.setInt(1, virtualShard);
        String insert =
                "insert into " + table.table().sql() + " (" + table.writableColumnsSql() + ") overriding system value"
                        + " values (" + String.join(", ", Collections.nCopies(columns, "?")) + ")";
        return new InsertStream(query, query.executeQuery(), insert, columns);
    }

    private record InsertStream(PreparedStatement query, ResultSet rows, String insert, int columns)
            implements RowStream {
        @Override
        public int copy(Connection target, int limit) throws SQLException {
            try (PreparedStatement statement = target.prepareStatement(insert)) {
                int count = 0;
                while (count < limit && rows.next()) {
                    for (int column = 1; column <= columns; column++) {
                        statement.setObject(column, rows.getObject(column));
                    }
                    statement.addBatch();
                    count++;
                }
                if (count > 0) {
                    statement.executeBatch();
                }
                return count;
            }
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void close() throws SQLException {
            query.close();
        }
    }

    @Override
    public Digest digest(Connection connection, TableShape table, int virtualShard) throws SQLException {
        String columns = table.columns().stream()
                .map(column -> ShardedTable.quote(column.name()))
                .collect(Collectors.joining(", "));
        try (PreparedStatement query = connection.prepareStatement("select " + columns + " from "
                + table.table().sql() + " where " + table.table().columnSql() + " = ?")) {
            query.setInt(1, virtualShard);
            long count = 0;
            BigInteger sum = BigInteger.ZERO;
            MessageDigest hash = sha256();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    for (int column = 1; column <= table.columns().size(); column++) {
                        addTo(hash, row, column);
                    }
                    sum = sum.add(new BigInteger(hash.digest()));
                    count++;
                }
            }
            return new Digest(count, sum.toString(16));
        }
    }

    /** Length first, so that two columns cannot trade a byte; a null is no length at all. */
    private static void addTo(MessageDigest hash, ResultSet row, int column) throws SQLException {
        String type = row.getMetaData().getColumnTypeName(column);
        byte[] value;
        if (type.startsWith("BINARY") || type.equals("JAVA_OBJECT")) {
            value = row.getBytes(column);
        } else {
            String text = row.getString(column);
            value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }
        hash.update((value == null ? "-" : value.length + ":").getBytes(StandardCharsets.UTF_8));
        if (value != null) {
            hash.update(value);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must have SHA-256", e);
        }
    }

    @Override
    public boolean any(Connection connection, TableShape table, int virtualShard) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select 1 from "
                + table.table().sql() + " where " + table.table().columnSql() + " = ? fetch first row only")) {
            query.setInt(1, virtualShard);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    public int delete(Connection connection, TableShape table, int virtualShard, int limit) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from "
                + table.table().sql() + " where " + table.table().columnSql() + " = ? fetch first ? rows only")) {
            delete.setInt(1, virtualShard);
            delete.setInt(2, limit);
            return delete.executeUpdate();
        }
    }

    /** Changing an identity column of H2 is DDL that would commit; keys of H2 tables should come from the application. */
    /** H2 has no partitions. */
    @Override
    public Optional<OwnPartition> ownPartition(Connection connection, ShardedTable table, int virtualShard) {
        return Optional.empty();
    }

    @Override
    public Map<String, ColumnSequence> sequences(Connection connection, TableShape table) {
        return Map.of();
    }
}
