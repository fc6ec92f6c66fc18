package io.shardmap.migrate.move;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A replication slot as its server has it.
 *
 * @param usable whether it is there and has the write-ahead log that it needs
 * @param kept bytes of write-ahead log that the server keeps for it
 * @param lag bytes that its reader has not confirmed
 */
record SlotHealth(boolean usable, long kept, long lag) {

    static SlotHealth read(Connection connection, String slot) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select coalesce(wal_status, '') <> 'lost',
                       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint,
                       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn), 0)::bigint
                  from pg_replication_slots where slot_name = ?
                """)) {
            query.setString(1, slot);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? new SlotHealth(row.getBoolean(1), row.getLong(2), row.getLong(3))
                        : new SlotHealth(false, 0, 0);
            }
        }
    }

    /** Returns why the stream must end, null when it can go on. */
    @Nullable
    String fault(long walLimit) {
        if (!usable) {
            return "slot must be there and keep its write-ahead log";
        }
        return kept <= walLimit
                ? null
                : "slot must not keep more write-ahead log than the limit: kept=" + kept + ", limit=" + walLimit;
    }
}
