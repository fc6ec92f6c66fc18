package io.shardmap.jdbc.fanout;

import java.sql.SQLException;
import java.util.ArrayDeque;

/**
 * One server's rows after the other's, in turns of one batch each: while one server's batch is read, all others fetch their next ones.
 * Reading one server to its end first would let the others wait. A server whose driver gives no batches is read to its end.
 */
final class ConcatenatedRows extends FanOutRows {
    private final ArrayDeque<ServerRead> turns = new ArrayDeque<>();

    ConcatenatedRows(FanOutRun run, Runnable release, RowLimit.Bound limit) {
        super(run, release, limit);
        run.reads().stream().filter(read -> read.error() == null).forEach(turns::add);
    }

    @Override
    boolean advance() throws SQLException {
        while (!turns.isEmpty()) {
            ServerRead read = turns.getFirst();
            if (read.mustFetch() && turns.size() > 1) {
                read.prefetch(run().executor());
                turns.addLast(turns.removeFirst());
                read = turns.getFirst();
            }
            try {
                if (read.next()) {
                    stand(read.rows());
                    return true;
                }
                turns.removeFirst();
                read.release();
            } catch (SQLException error) {
                turns.removeFirst();
                failed(read, error);
            }
        }
        return false;
    }
}
