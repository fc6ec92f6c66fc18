package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.server.OwnershipRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server's count and its ownership rows, out of one statement and so of one instant, without any lock. For H2, whose only lock is a row
 * lock: it makes the transaction a writing one, and H2 then counts by walking through the table instead of looking the number up.
 *
 * <p>Why no lock is needed. Each server answers for an instant of its own, with what it owned and held at that instant:
 *
 * <ul>
 *   <li>The count has each row of an owned virtual shard, since all its rows are committed on the target before the target owns it, and on
 *       the source nobody removes or changes one before the source has ceased to own it.
 *   <li>The count has no row of a virtual shard that is not owned: a server says that it holds copies before the first copied row is
 *       committed and until the last is removed, and the count of such a server is taken again with a filter, until the filter is that of
 *       the ownership rows beside the very count.
 *   <li>The counts are added up only when each virtual shard is owned in exactly one answer. One that moved between the instants is owned in
 *       both answers (source asked before, target after) or in none (the other way round), and all servers are asked again.
 * </ul>
 *
 * <p>A result that stays open for reading needs the lock all the same: its rows are read by several statements.
 *
 * @param count the count
 * @param label label of its column
 * @param ownership all ownership rows of the map
 */
record CountSnapshot(long count, String label, List<OwnershipRow> ownership) {

    /** Returns the statement: the count in front of each ownership row, or of nothing when there is none. */
    static String sql(String count, int mapNumber) {
        return "SELECT \"counted\".*, \"owns\".\"virtual_shard\", \"owns\".\"epoch\", \"owns\".\"state\" <> 'CLOSED',"
                + " \"owns\".\"holds_copies\" FROM (" + count
                + ") \"counted\" LEFT JOIN \"shardmap\".\"ownership\" \"owns\""
                + " ON \"owns\".\"map_number\" = " + mapNumber;
    }

    static CountSnapshot read(ResultSet rows) throws SQLException {
        long count = 0;
        List<OwnershipRow> ownership = new ArrayList<>();
        while (rows.next()) {
            count = rows.getLong(1);
            int virtualShard = rows.getInt(2);
            if (!rows.wasNull()) {
                ownership.add(new OwnershipRow(virtualShard, rows.getLong(3), rows.getBoolean(4), rows.getBoolean(5)));
            }
        }
        return new CountSnapshot(count, rows.getMetaData().getColumnLabel(1), ownership);
    }
}
