package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows of moves as values. */
final class MoveRows {
    private static final String SELECT = """
            select "id", "map", "virtual_shard", "source", "target", "epoch", "new_epoch", "state", "lease", "lease_owner",
                   "lease_until", coalesce("lease_until" > current_timestamp, false) as "live", "options", "created_at",
                   "updated_at", "error"
              from "shardmap_catalog"."move"
            """;

    private MoveRows() {}

    static MoveStatus get(Connection connection, MoveId id, boolean lock) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(SELECT + "where \"id\" = ?" + (lock ? " for update" : ""))) {
            query.setLong(1, id.value());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw new ShardMapException(
                            ErrorCode.INVALID_DEFINITION, "move must be in the shard-map database: move=" + id);
                }
                return read(row);
            }
        }
    }

    static List<MoveStatus> list(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(SELECT + "order by \"id\" desc");
                ResultSet row = query.executeQuery()) {
            List<MoveStatus> moves = new ArrayList<>();
            while (row.next()) {
                moves.add(read(row));
            }
            return moves;
        }
    }

    static List<JournalEntry> journal(Connection connection, MoveId id) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select "at", "step", "detail" from "shardmap_catalog"."move_journal" where "move" = ? order by "seq"
                """)) {
            query.setLong(1, id.value());
            try (ResultSet row = query.executeQuery()) {
                List<JournalEntry> entries = new ArrayList<>();
                while (row.next()) {
                    entries.add(new JournalEntry(
                            row.getObject(1, OffsetDateTime.class).toInstant(), row.getString(2), row.getString(3)));
                }
                return entries;
            }
        }
    }

    static Set<ShardedTable> tables(Connection connection, String map) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select "schema_name", "table_name", "shard_column" from "shardmap_catalog"."sharded_table" where "map" = ?
                """)) {
            query.setString(1, map);
            try (ResultSet row = query.executeQuery()) {
                Set<ShardedTable> tables = new HashSet<>();
                while (row.next()) {
                    String schema = row.getString(1);
                    tables.add(new ShardedTable(schema.isEmpty() ? null : schema, row.getString(2), row.getString(3)));
                }
                return tables;
            }
        }
    }

    private static MoveStatus read(ResultSet row) throws SQLException {
        return new MoveStatus(
                new MoveId(row.getLong("id")),
                row.getString("map"),
                row.getInt("virtual_shard"),
                row.getString("source"),
                row.getString("target"),
                row.getLong("epoch"),
                row.getLong("new_epoch"),
                state(row.getString("state")),
                row.getLong("lease"),
                row.getString("lease_owner"),
                instant(row.getObject("lease_until", OffsetDateTime.class)),
                row.getBoolean("live"),
                MoveOptions.parse(row.getString("options")),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("updated_at", OffsetDateTime.class).toInstant(),
                row.getString("error"));
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    private static MoveState state(String name) {
        for (MoveState known : MoveState.values()) {
            if (known.name().equals(name)) {
                return known;
            }
        }
        throw new ShardMapException(
                ErrorCode.UNSUPPORTED_MAP, "state of a move must be known here: state=" + name + "; upgrade Shardmap");
    }
}
