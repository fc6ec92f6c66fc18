package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.pool.ServerPools;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much there is to copy.
 *
 * @param rows rows of all tables
 * @param bytes about so many bytes they are on the network, from a sample; 0 on H2
 * @param counted whether the rows were counted, and not taken from the planner because counting took too long
 */
record MoveSize(long rows, long bytes, boolean counted) {
    private static final int COUNT_SECONDS = 5;
    private static final String CANCELLED_POSTGRES = "57014";
    private static final int SAMPLE = 1_000;
    private static final Pattern PLAN_ROWS = Pattern.compile("rows=(\\d+)");

    static MoveSize of(ServerPools pools, Server source, List<ShardedTable> tables, int virtualShard)
            throws SQLException {
        long rows = 0;
        long bytes = 0;
        boolean counted = true;
        try (Connection connection = pools.open(source)) {
            boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
            for (ShardedTable table : tables) {
                String where = " from " + table.sql() + " where " + table.columnSql() + " = " + virtualShard;
                long found;
                try {
                    found = count(connection, where);
                } catch (SQLException tooSlow) {
                    if (!CANCELLED_POSTGRES.equals(tooSlow.getSQLState())) {
                        throw tooSlow;
                    }
                    found = planned(connection, where);
                    counted = false;
                }
                rows += found;
                if (postgres && found > 0) {
                    bytes += Math.round(found * width(connection, where));
                }
            }
        }
        return new MoveSize(rows, bytes, counted);
    }

    private static long count(Connection connection, String where) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select count(*)" + where)) {
            query.setQueryTimeout(COUNT_SECONDS);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static long planned(Connection connection, String where) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("explain select 1" + where)) {
            row.next();
            Matcher rows = PLAN_ROWS.matcher(row.getString(1));
            return rows.find() ? Long.parseLong(rows.group(1)) : 0;
        }
    }

    private static double width(Connection connection, String where) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select coalesce(avg(octet_length(t::text)), 0) from (select *"
                        + where + " limit " + SAMPLE + ") t")) {
            row.next();
            return row.getDouble(1);
        }
    }
}
