package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.fanout.FanOutPlan.Coordinated;
import io.shardmap.jdbc.fanout.FanOutPlan.Pull;
import io.shardmap.jdbc.fanout.coordinator.Condition;
import io.shardmap.jdbc.fanout.coordinator.PulledTable;
import io.shardmap.jdbc.fanout.coordinator.TableShape;
import io.shardmap.jdbc.fanout.coordinator.Values;
import io.shardmap.jdbc.server.ServerDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.copy.CopyIn;

/**
 * The share of the server that is the coordinator: its own rows, and the temporary tables in which all rows are collected. Everything is in
 * the one transaction that holds its lock, so a coordinated query needs one connection per server as any other, and nothing stays behind.
 */
final class CoordinatorShare extends PullShare {
    private @Nullable CopyIn copy;
    private @Nullable PreparedStatement query;

    CoordinatorShare(Server server, ServerDialect dialect, int mapNumber, long startedAt) {
        super(server, dialect, mapNumber, startedAt);
    }

    /** Creates the temporary tables. From then on the names of the tables mean them, whatever the search path is. */
    List<PulledTable> create(List<Pull> pulls, List<@Nullable Object> parameters) throws SQLException {
        Connection open = connection();
        List<PulledTable> tables = new ArrayList<>();
        for (Pull pull : pulls) {
            TableShape shape = TableShape.read(open, pull.table());
            Condition condition = Condition.of(pull.predicate(), pull.parameters(), parameters);
            tables.add(new PulledTable(shape, shape.needed(pull.columns()), condition));
        }
        for (PulledTable table : tables) {
            table.create(open);
        }
        execute("select pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', 'pg_temp',"
                + " nullif(pg_catalog.current_setting('search_path'), '')), true)");
        return tables;
    }

    /**
     * Rows that are stored.
     *
     * @param rows how many
     * @param bytes how many bytes they take
     */
    record Stored(long rows, long bytes) {}

    /** Collects the rows of its own server, at most so many. */
    Stored insertOwn(PulledTable table, long most) throws SQLException {
        Connection open = connection();
        String rows = table.rows(open, table.shape(), copies());
        try (Statement statement = open.createStatement()) {
            long inserted = statement.executeLargeUpdate(table.insert(rows, most));
            took(inserted);
            if (inserted == 0) {
                return new Stored(0, 0);
            }
            try (ResultSet size = statement.executeQuery(table.size())) {
                size.next();
                return new Stored(inserted, size.getLong(1));
            }
        }
    }

    void openCopy(PulledTable table) throws SQLException {
        copy = connection().unwrap(PGConnection.class).getCopyAPI().copyIn(table.copyIn());
    }

    void write(byte[] rows, int length) throws SQLException {
        CopyIn open = copy;
        if (open == null) {
            throw new IllegalStateException("copy must be open: server=" + name());
        }
        open.writeToCopy(rows, 0, length);
    }

    void closeCopy() throws SQLException {
        CopyIn open = copy;
        if (open != null) {
            open.endCopy();
            copy = null;
        }
    }

    /** Runs the query over the collected rows; it cannot write any more. */
    ResultSet query(Coordinated plan, List<PulledTable> tables, List<@Nullable Object> parameters, int fetchSize)
            throws SQLException {
        for (PulledTable table : tables) {
            execute(table.analyze());
        }
        execute("SET TRANSACTION READ ONLY");
        PreparedStatement prepared = connection().prepareStatement(plan.finalSql());
        query = prepared;
        prepared.unwrap(PGStatement.class).setPrepareThreshold(0); // its tables live only once
        prepared.setFetchSize(fetchSize);
        for (int i = 0; i < plan.finalParameters().size(); i++) {
            Values.bind(prepared, i + 1, parameters.get(plan.finalParameters().get(i) - 1));
        }
        return prepared.executeQuery();
    }

    @Override
    void stop() throws SQLException {
        super.stop();
        CopyIn open = copy;
        if (open != null) {
            breakOff(open);
        }
        PreparedStatement last = query;
        if (last != null) {
            last.close();
        }
    }
}
