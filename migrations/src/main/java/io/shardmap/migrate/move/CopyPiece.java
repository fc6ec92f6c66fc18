package io.shardmap.migrate.move;

import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a virtual shard in one table that one copier reads in one go: all of them, or those in a range of the table's blocks.
 *
 * @param table the table
 * @param from what to read, as SQL: the table, or the virtual shard's own partition of it
 * @param condition which rows, as SQL
 */
record CopyPiece(TableShape table, String from, String condition) {
    /** A piece has at least so many blocks (64 MiB): below that, beginning costs more than sharing the work saves. */
    private static final long LEAST_BLOCKS = 8_192;

    private static final int PIECES_PER_COPIER = 4;

    /** Splits a table that would be read from end to end; an index brings the rows in one piece. */
    static List<CopyPiece> of(Connection source, TableShape table, int virtualShard, int copiers) throws SQLException {
        CopyPiece all = new CopyPiece(
                table,
                OwnPartition.of(source, table.table(), virtualShard)
                        .map(OwnPartition::sql)
                        .orElse(table.table().sql()),
                table.table().columnSql() + " = " + virtualShard);
        return copiers == 1 || table.referencesItself() || !all.readsAll(source)
                ? List.of(all)
                : all.split(source, copiers * PIECES_PER_COPIER, LEAST_BLOCKS);
    }

    List<CopyPiece> split(Connection source, int most, long leastBlocks) throws SQLException {
        long blocks = blocks(source);
        long count = Math.max(1, Math.min(most, blocks / leastBlocks));
        long size = blocks / count;
        List<CopyPiece> pieces = new ArrayList<>();
        for (long piece = 0; piece < count; piece++) {
            // The last one has no end: the table may have grown since.
            pieces.add(new CopyPiece(
                    table,
                    from,
                    condition + " and ctid >= '(" + piece * size + ",0)'"
                            + (piece == count - 1 ? "" : " and ctid < '(" + (piece + 1) * size + ",0)'")));
        }
        return pieces;
    }

    private long blocks(Connection source) throws SQLException {
        try (PreparedStatement query = source.prepareStatement(
                "select pg_relation_size(to_regclass(?)) / current_setting('block_size')::int")) {
            query.setString(1, from);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private boolean readsAll(Connection source) throws SQLException {
        try (PreparedStatement query =
                        source.prepareStatement("explain select * from " + from + " where " + condition);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                if (row.getString(1).contains("Seq Scan")) {
                    return true;
                }
            }
            return false;
        }
    }
}
