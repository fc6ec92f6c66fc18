package io.shardmap.store;

import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.UnsupportedShardMapException;
import io.shardmap.VirtualShard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of the catalogue as values of the model. */
final class Rows {
    private Rows() {}

    /** Makes a value of the row that a result set stands on. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    static <T> List<T> list(Connection connection, Reader<T> reader, String sql, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement query = prepare(connection, sql, parameters);
                ResultSet rows = query.executeQuery()) {
            List<T> values = new ArrayList<>();
            while (rows.next()) {
                values.add(reader.read(rows));
            }
            return values;
        }
    }

    /** Prepares a statement; the parameters are text, numbers, or null for a missing text. */
    static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                Object parameter = parameters[i];
                if (parameter == null) {
                    statement.setNull(i + 1, Types.VARCHAR);
                } else {
                    statement.setObject(i + 1, parameter);
                }
            }
            return statement;
        } catch (SQLException failure) {
            statement.close();
            throw failure;
        }
    }

    static Server server(ResultSet row) throws SQLException {
        return new Server(
                row.getString("name"), row.getString("url"), row.getString("region"), row.getString("replication_url"));
    }

    static VirtualShard virtualShard(String map, ResultSet row) throws SQLException {
        String state = row.getString("state");
        for (VirtualShard.State known : VirtualShard.State.values()) {
            if (known.name().equals(state)) {
                return new VirtualShard(row.getInt("id"), row.getString("server"), row.getLong("epoch"), known);
            }
        }
        throw new UnsupportedShardMapException(map, "state " + state + " of a virtual shard");
    }

    static StoredStrategy.Bounds bounds(ResultSet row) throws SQLException {
        return new StoredStrategy.Bounds(row.getInt("id"), row.getString("lower_bound"), row.getString("upper_bound"));
    }

    static ShardedTable table(ResultSet row) throws SQLException {
        String schema = row.getString("schema_name");
        return new ShardedTable(
                schema.isEmpty() ? null : schema, row.getString("table_name"), row.getString("shard_column"));
    }

    static ReferenceTable referenceTable(ResultSet row) throws SQLException {
        String schema = row.getString("schema_name");
        return new ReferenceTable(schema.isEmpty() ? null : schema, row.getString("table_name"));
    }

    static AuditEntry auditEntry(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("who"),
                row.getString("what"),
                row.getString("before"),
                row.getString("after"));
    }
}
