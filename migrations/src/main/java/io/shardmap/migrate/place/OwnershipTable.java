package io.shardmap.migrate.place;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The ownership table of a server, as an assignment uses it. The quoted names are the same on PostgreSQL and H2. */
final class OwnershipTable {
    private static final int WHOLE_MAP = -1;
    private static final int SLOTS = 16;

    private OwnershipTable() {}

    record Row(int virtualShard, long epoch, boolean owned, boolean holdsCopies) {}

    static List<Row> read(Connection connection, int map) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select "virtual_shard", "epoch", "state" <> 'CLOSED', "holds_copies" from "shardmap"."ownership"
                where "map_number" = ?
                """)) {
            query.setInt(1, map);
            try (ResultSet row = query.executeQuery()) {
                List<Row> rows = new ArrayList<>();
                while (row.next()) {
                    rows.add(new Row(row.getInt(1), row.getLong(2), row.getBoolean(3), row.getBoolean(4)));
                }
                return rows;
            }
        }
    }

    /** Opens virtual shards in one durable transaction and returns those whose epoch is newer; then nothing was changed. */
    static List<Integer> open(Connection connection, int map, Map<Integer, Long> epochs) throws SQLException {
        boolean h2 = connection.getMetaData().getDatabaseProductName().equals("H2");
        connection.setAutoCommit(false);
        try {
            if (h2) {
                for (int virtualShard : epochs.keySet()) {
                    addLockRows(connection, map, virtualShard);
                }
                addLockRows(connection, map, WHOLE_MAP);
            } else {
                try (Statement durable = connection.createStatement()) {
                    durable.execute("set local synchronous_commit = on");
                }
            }
            List<Integer> newer = new ArrayList<>();
            for (Map.Entry<Integer, Long> entry : epochs.entrySet()) {
                if (!open(connection, map, entry.getKey(), entry.getValue())) {
                    newer.add(entry.getKey());
                }
            }
            if (newer.isEmpty()) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return newer;
        } catch (SQLException | RuntimeException failure) {
            connection.rollback();
            throw failure;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static boolean open(Connection connection, int map, int virtualShard, long epoch) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                        update "shardmap"."ownership" set "epoch" = ?, "state" = 'OPEN', "fenced_until" = null, "holds_copies" = false
                        where "map_number" = ? and "virtual_shard" = ? and "epoch" < ?
                        """);
                PreparedStatement insert = connection.prepareStatement("""
                        insert into "shardmap"."ownership" ("map_number", "virtual_shard", "epoch", "state")
                        select m, v, e, 'OPEN' from (values (cast(? as int), cast(? as int), cast(? as bigint))) as n (m, v, e)
                        where not exists (select 1 from "shardmap"."ownership" where "map_number" = m and "virtual_shard" = v)
                        """);
                PreparedStatement same = connection.prepareStatement("""
                        select 1 from "shardmap"."ownership"
                        where "map_number" = ? and "virtual_shard" = ? and "epoch" = ? and "state" <> 'CLOSED'
                        """)) {
            update.setLong(1, epoch);
            update.setInt(2, map);
            update.setInt(3, virtualShard);
            update.setLong(4, epoch);
            if (update.executeUpdate() == 1) {
                return true;
            }
            for (PreparedStatement statement : List.of(insert, same)) {
                statement.setInt(1, map);
                statement.setInt(2, virtualShard);
                statement.setLong(3, epoch);
            }
            if (insert.executeUpdate() == 1) {
                return true;
            }
            try (ResultSet row = same.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void addLockRows(Connection connection, int map, int virtualShard) throws SQLException {
        try (PreparedStatement merge = connection.prepareStatement("""
                merge into "shardmap"."lock_row" ("map_number", "virtual_shard", "slot") key ("map_number", "virtual_shard", "slot")
                values (?, ?, ?)
                """)) {
            for (int slot = 0; slot < SLOTS; slot++) {
                merge.setInt(1, map);
                merge.setInt(2, virtualShard);
                merge.setInt(3, slot);
                merge.addBatch();
            }
            merge.executeBatch();
        }
    }
}
