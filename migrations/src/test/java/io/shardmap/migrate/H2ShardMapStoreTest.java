package io.shardmap.migrate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The contract on H2, opened without any option that changes its SQL. */
class H2ShardMapStoreTest extends ShardMapStoreContract {
    /** Keeps the database between connections; only an administrator may say so. */
    private static final String KEEP = ";DB_CLOSE_DELAY=-1";

    @Override
    DataSource emptyDatabase() {
        return h2("jdbc:h2:mem:" + UUID.randomUUID() + KEEP, "sa");
    }

    @Override
    DataSource asReader(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create user reader password ''");
            statement.execute("grant select on schema \"shardmap_catalog\" to reader");
        }
        return h2(((JdbcDataSource) database).getURL().replace(KEEP, ""), "reader");
    }

    @Override
    DataSource unreachable() {
        return h2("jdbc:h2:tcp://127.0.0.1:1/nosuch", "sa");
    }

    private static JdbcDataSource h2(String url, String user) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser(user);
        return dataSource;
    }
}
