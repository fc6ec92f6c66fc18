package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.fanout.coordinator.Values;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.jdbc.server.ServerDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One server's share of an update: all its virtual shards are entered, as a routed transaction enters one. */
final class UpdateShare extends Share {
    private final ServerDialect dialect;
    private final int mapNumber;

    private volatile @Nullable Statement statement;
    private List<OwnershipRow> ownership = List.of();
    private long rows;

    UpdateShare(Server server, ServerDialect dialect, int mapNumber, long startedAt) {
        super(server, startedAt);
        this.dialect = dialect;
        this.mapNumber = mapNumber;
    }

    @Override
    List<OwnershipRow> ownership() {
        return ownership;
    }

    @Override
    long taken() {
        return rows;
    }

    /** Begins the transaction and enters all virtual shards of the server; those that it must not write count as not owned. */
    void enter() throws SQLException {
        Connection open = connection();
        readCommitted(open);
        open.setAutoCommit(false);
        try (Statement waiting = open.createStatement()) {
            statement = waiting; // so that waiting for locks can be cancelled
            ownership = dialect.enterAll(open, mapNumber);
        }
    }

    void execute(UpdatePlan plan, List<? extends @Nullable Object> parameters) throws SQLException {
        try (PreparedStatement prepared = connection().prepareStatement(plan.sql(copiesIn(ownership)))) {
            statement = prepared;
            for (int i = 0; i < parameters.size(); i++) {
                Values.bind(prepared, i + 1, parameters.get(i));
            }
            rows = prepared.executeLargeUpdate();
        }
    }

    void commit() throws SQLException {
        connection().commit();
    }

    @Override
    void cancelOn(Connection open) throws SQLException {
        Statement running = statement;
        if (running != null) {
            dialect.cancel(open, running);
        }
    }

    @Override
    void stop() {}
}
