package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.fanout.coordinator.PulledTable;
import io.shardmap.jdbc.fanout.coordinator.TableShape;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.jdbc.server.ServerDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;

/** A share whose rows go to the coordinator by COPY. The server sends no faster than they are read. */
class PullShare extends Share {
    private static final byte[] END = {};

    private final ServerDialect dialect;
    private final int mapNumber;
    private List<OwnershipRow> ownership = List.of();
    private Set<Integer> copies = Set.of();
    private long taken;
    private @Nullable CopyOut copy;

    PullShare(Server server, ServerDialect dialect, int mapNumber, long startedAt) {
        super(server, startedAt);
        this.dialect = dialect;
        this.mapNumber = mapNumber;
    }

    @Override
    final List<OwnershipRow> ownership() {
        return ownership;
    }

    final Set<Integer> copies() {
        return copies;
    }

    @Override
    final long taken() {
        return taken;
    }

    final void took(long rows) {
        taken += rows;
    }

    /** Begins the transaction, takes the lock and asks what the server owns. */
    final void enter(boolean snapshot) throws SQLException {
        Connection open = connection();
        if (snapshot) {
            try (Statement statement = open.createStatement()) {
                ownership = dialect.enterSnapshot(open, statement, mapNumber);
            }
        } else {
            readCommitted(open);
            open.setAutoCommit(false);
            ownership = dialect.enterMap(open, mapNumber);
        }
        copies = copiesIn(ownership);
    }

    /** Lets the server write values so that the coordinator reads the same ones. */
    final void speak(TextFormat format, boolean money) throws SQLException {
        execute("SET TRANSACTION READ ONLY");
        format.apply(connection(), money);
    }

    final void execute(String sql) throws SQLException {
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            statement.execute();
        }
    }

    /** Starts to send the rows of a table. */
    final void send(PulledTable table) throws SQLException {
        Connection open = connection();
        TableShape there = TableShape.read(open, table.shape().table());
        String difference = table.difference(there);
        if (difference != null) {
            throw FanOutErrors.differentColumns("coordinator", name(), difference);
        }
        copy = open.unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut(PulledTable.copyOut(table.rows(open, there, copies)));
    }

    /** Returns the next row that is sent; empty, which no row is, after the last. */
    final byte[] nextRow() throws SQLException {
        CopyOut sending = copy;
        byte[] row = sending == null ? null : sending.readFromCopy();
        if (row == null) {
            copy = null;
            return END;
        }
        taken++;
        return row;
    }

    @Override
    final void cancelOn(Connection open) throws SQLException {
        open.unwrap(PGConnection.class).cancelQuery();
    }

    @Override
    void stop() throws SQLException {
        CopyOut sending = copy;
        if (sending != null) {
            breakOff(sending);
        }
    }

    /**
     * Ends a copy in the middle. The driver can lose its place in what the server sends when a copy is cancelled, so the connection is cut,
     * and the pool throws it away; the server is told first, because it may not look at the connection for long.
     */
    final void breakOff(CopyOperation unfinished) throws SQLException {
        Connection open = connection();
        if (unfinished.isActive() && !open.isClosed()) {
            cancelOn(open);
            open.abort(Runnable::run);
        }
    }
}
