package io.shardmap.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/** What an administrator would do by hand: one {@code COPY (SELECT ... WHERE ...) TO STDOUT | COPY ... FROM STDIN}, in one transaction. */
record PlainCopy(MoveGround ground) {
    /** Copies the moving virtual shard's books, takes nanoseconds, and removes the copies. */
    long nanos() throws SQLException {
        try (Connection from = ground.connect(MoveGround.FIRST);
                Connection to = ground.connect(MoveGround.SECOND)) {
            long start = System.nanoTime();
            pipe(from.unwrap(PGConnection.class), to.unwrap(PGConnection.class));
            long nanos = System.nanoTime() - start;
            try (Statement truncate = to.createStatement()) {
                truncate.execute("truncate plain_copy");
            }
            return nanos;
        }
    }

    private static void pipe(PGConnection from, PGConnection to) throws SQLException {
        CopyOut out = from.getCopyAPI()
                .copyOut("copy (select * from book where shard = " + MoveGround.MOVING + ") to stdout");
        CopyIn in = to.getCopyAPI().copyIn("copy plain_copy from stdin");
        byte[] row = out.readFromCopy();
        while (row != null) {
            in.writeToCopy(row, 0, row.length);
            row = out.readFromCopy();
        }
        in.endCopy();
    }
}
