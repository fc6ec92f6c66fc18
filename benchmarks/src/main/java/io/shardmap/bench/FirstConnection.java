package io.shardmap.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.h2.jdbcx.JdbcDataSource;

/** A process that opens one connection, reads one row, prints how many nanoseconds that took, and ends. */
final class FirstConnection {
    static final String POOL = "pool";
    static final String ROUTER = "router";

    private static final int ID = 4_711;

    private FirstConnection() {}

    /** Takes {@link #POOL} or {@link #ROUTER}, and the JDBC URL of an H2 database. */
    public static void main(String[] arguments) throws SQLException {
        long start = System.nanoTime();
        if (arguments[0].equals(ROUTER)) {
            throughRouter(arguments[1]);
        } else {
            throughPool(arguments[1]);
        }
        System.out.println(System.nanoTime() - start);
        System.exit(0);
    }

    private static void throughRouter(String url) throws SQLException {
        JdbcDataSource map = new JdbcDataSource();
        map.setURL(url);
        ShardRouter router = ShardRouter.builder(new JdbcShardMapStore(map))
                .pool(Cluster::settings)
                .build();
        try (Connection connection = router.openConnection(Cluster.MAP, ID)) {
            read(connection);
        }
    }

    private static void throughPool(String url) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        Cluster.settings(config);
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection()) {
            read(connection);
        }
    }

    private static void read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Books.BY_ID)) {
            statement.setInt(1, ID);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
            }
        }
    }
}
