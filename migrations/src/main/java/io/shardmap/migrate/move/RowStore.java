package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** Rows of a virtual shard in one table, per database product. Stateless. */
sealed interface RowStore permits PostgresRows, H2Rows {

    static RowStore of(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("H2") ? new H2Rows() : new PostgresRows();
    }

    /** How many rows there are, and an order-independent sum of their hashes. */
    record Digest(long rows, String hash) {}

    /** Opens a stream over the rows, in the caller's transaction. */
    RowStream open(Connection source, TableShape table, int virtualShard) throws SQLException;

    /** Compares by this: the columns in the order of the given shape, whatever the order of the table here. */
    Digest digest(Connection connection, TableShape table, int virtualShard) throws SQLException;

    /** Like {@link #digest}, without the hash. */
    default Digest count(Connection connection, TableShape table, int virtualShard) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select count(*) from "
                + table.table().sql() + " where " + table.table().columnSql() + " = ?")) {
            query.setInt(1, virtualShard);
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return new Digest(result.getLong(1), "");
            }
        }
    }

    /** Returns whether there is a row. */
    boolean any(Connection connection, TableShape table, int virtualShard) throws SQLException;

    /** Deletes at most so many rows and returns how many it deleted. */
    int delete(Connection connection, TableShape table, int virtualShard, int limit) throws SQLException;

    /** Returns the partition that has all rows of the virtual shard and no others, if there is one. */
    Optional<OwnPartition> ownPartition(Connection connection, ShardedTable table, int virtualShard)
            throws SQLException;

    /** Returns the sequences that columns of the table take their values from, by column. */
    Map<String, ColumnSequence> sequences(Connection connection, TableShape table) throws SQLException;

    /** Rows on their way to the target. */
    interface RowStream extends AutoCloseable {

        /** Writes at most so many rows into the target, in the caller's transaction, and returns how many; fewer only at the end. */
        int copy(Connection target, int limit) throws SQLException;

        /** Returns the bytes that went over the network so far, 0 when unknown. */
        long bytes();

        @Override
        void close() throws SQLException;
    }
}
