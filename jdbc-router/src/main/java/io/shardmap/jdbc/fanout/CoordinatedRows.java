package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.fanout.coordinator.PulledTable;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows that a coordinator answers. */
final class CoordinatedRows extends FanOutRows {
    private final CoordinatorShare coordinator;
    private final ResultSet rows;
    private final Map<String, String> schemas;
    private @Nullable ResultSetMetaData metaData;

    CoordinatedRows(
            FanOutRun run, Runnable release, CoordinatorShare coordinator, ResultSet rows, List<PulledTable> tables) {
        super(run, release, new RowLimit.Bound(Long.MAX_VALUE, 0));
        this.coordinator = coordinator;
        this.rows = rows;
        this.schemas = tables.stream()
                .map(PulledTable::shape)
                .collect(Collectors.toMap(shape -> shape.table().name(), shape -> shape.schema()));
    }

    @Override
    boolean advance() throws SQLException {
        try {
            if (rows.next()) {
                stand(rows);
                return true;
            }
        } catch (SQLException error) {
            failed(coordinator, error);
        }
        return false;
    }

    /** Returns the metadata of the query, with the schemas of the real tables. */
    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        ResultSetMetaData known = metaData;
        if (known == null) {
            if (coordinator.hasEnded()) {
                throw new SQLException("metadata must be asked for before the rows end", "24000");
            }
            ResultSetMetaData ofCoordinator = rows.getMetaData();
            known = RowMetaData.copyOf(ofCoordinator, ofCoordinator.getColumnCount())
                    .withSchemas(schemas);
            metaData = known;
        }
        return known;
    }
}
