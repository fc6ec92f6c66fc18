package io.shardmap.migrate.table;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Reads the shape of tables from the catalogue of a server. Stateless, so safe for use by many threads. */
public sealed interface TableInspector permits PostgresInspector, H2Inspector {

    /**
     * Returns the inspector for the product behind a connection.
     *
     * @throws SQLException when the driver cannot tell, or the product is neither PostgreSQL nor H2
     */
    static TableInspector of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new PostgresInspector();
            case "H2" -> new H2Inspector();
            default ->
                throw new SQLException("tables can be inspected on PostgreSQL or H2, not on " + product, "0A000");
        };
    }

    /** Returns the table as the server has it; empty when it has none of this name. */
    Optional<TableShape> inspect(Connection connection, ShardedTable table) throws SQLException;
}
