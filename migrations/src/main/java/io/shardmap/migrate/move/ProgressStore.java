package io.shardmap.migrate.move;

import io.shardmap.store.JdbcShardMapStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Optional;

/** The progress of moves in the shard-map database, for those who watch. */
final class ProgressStore {
    /** A smaller move says nothing about the rate of a copy. */
    private static final long LEAST_BYTES = 1_000_000;

    private static final int MOVES_MEASURED = 10;

    private final JdbcShardMapStore store;

    ProgressStore(JdbcShardMapStore store) {
        this.store = store;
    }

    /** How fast copies were lately. */
    record Rate(int moves, long bytesPerSecond) {}

    Optional<MoveProgress> get(MoveId move) {
        return store.change(transaction -> {
            try (PreparedStatement query = transaction.connection().prepareStatement("""
                    select "total_rows", "total_bytes", "rows", "bytes", "bytes_per_second", "lag_bytes", "updated_at"
                      from "shardmap_catalog"."move_progress" where "move" = ?
                    """)) {
                query.setLong(1, move.value());
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? Optional.of(read(row)) : Optional.empty();
                }
            }
        });
    }

    private static MoveProgress read(ResultSet row) throws SQLException {
        long lag = row.getLong(6);
        boolean noLag = row.wasNull();
        return new MoveProgress(
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                noLag ? null : lag,
                row.getObject(7, OffsetDateTime.class).toInstant());
    }

    /** Writes how far a move is; false when another mover has its lease. */
    boolean write(MoveStatus held, MoveProgress progress) {
        return store.change(transaction -> {
            // The row of the move first, as everybody else does it.
            MoveStatus found = MoveRows.get(transaction.connection(), held.id(), true);
            if (found.lease() != held.lease()) {
                return false;
            }
            try (PreparedStatement update = transaction.connection().prepareStatement("""
                            update "shardmap_catalog"."move_progress"
                               set "total_rows" = ?, "total_bytes" = ?, "rows" = ?, "bytes" = ?, "bytes_per_second" = ?,
                                   "lag_bytes" = ?, "updated_at" = current_timestamp
                             where "move" = ?
                            """);
                    PreparedStatement insert = transaction.connection().prepareStatement("""
                            insert into "shardmap_catalog"."move_progress"
                                ("total_rows", "total_bytes", "rows", "bytes", "bytes_per_second", "lag_bytes", "move")
                            values (?, ?, ?, ?, ?, ?, ?)
                            """)) {
                bind(update, held.id(), progress);
                if (update.executeUpdate() == 0) {
                    bind(insert, held.id(), progress);
                    insert.executeUpdate();
                }
            }
            return true;
        });
    }

    private static void bind(PreparedStatement statement, MoveId move, MoveProgress progress) throws SQLException {
        statement.setLong(1, progress.totalRows());
        statement.setLong(2, progress.totalBytes());
        statement.setLong(3, progress.rows());
        statement.setLong(4, progress.bytes());
        statement.setLong(5, progress.bytesPerSecond());
        statement.setObject(6, progress.lagBytes(), Types.BIGINT);
        statement.setLong(7, move.value());
    }

    /** Returns the mean rate of the latest moves that are done. */
    Rate rate() {
        return store.change(transaction -> {
            try (PreparedStatement query = transaction.connection().prepareStatement("""
                    select count(*), coalesce(sum("bytes_per_second"), 0) from (
                        select p."bytes_per_second" from "shardmap_catalog"."move_progress" p
                          join "shardmap_catalog"."move" m on m."id" = p."move"
                         where m."state" = 'DONE' and p."bytes" >= ? and p."bytes_per_second" > 0
                         order by p."move" desc fetch first ? rows only) as latest
                    """)) {
                query.setLong(1, LEAST_BYTES);
                query.setInt(2, MOVES_MEASURED);
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    int moves = row.getInt(1);
                    return new Rate(moves, moves == 0 ? 0 : row.getLong(2) / moves);
                }
            }
        });
    }
}
