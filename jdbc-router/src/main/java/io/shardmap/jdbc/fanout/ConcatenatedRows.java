package io.shardmap.jdbc.fanout;

import java.sql.SQLException;

/** One server's rows after the other's. All servers have their first rows ready; a server whose turn has not come waits with its cursor. */
final class ConcatenatedRows extends FanOutRows {
    private int server;

    ConcatenatedRows(FanOutRun run, Runnable release, RowLimit.Bound limit) {
        super(run, release, limit);
    }

    @Override
    boolean advance() throws SQLException {
        while (server < run().reads().size()) {
            ServerRead read = run().reads().get(server);
            if (read.error() == null) {
                try {
                    if (read.next()) {
                        stand(read.rows());
                        return true;
                    }
                    read.release();
                } catch (SQLException error) {
                    failed(read, error);
                }
            }
            server++;
        }
        return false;
    }
}
