package io.shardmap.migrate;

import io.shardmap.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Makes the databases that a contract is tried on. */
interface TestDatabases {

    /** Returns a new, empty database. */
    DataSource empty() throws SQLException;

    /** Returns a new database that holds an empty catalogue. */
    default DataSource withCatalogue() throws SQLException {
        DataSource database = empty();
        ShardMapSchema.migrate(database);
        return database;
    }

    /** Returns a database with a catalogue as a user who may only read that. */
    DataSource asReader(DataSource database) throws SQLException;

    /** Returns a database that is not running. */
    DataSource unreachable();

    /** Databases in memory, opened without any option that changes their SQL. */
    record H2() implements TestDatabases {
        /** Keeps the database between connections; only an administrator may say so. */
        private static final String KEEP = ";DB_CLOSE_DELAY=-1";

        @Override
        public DataSource empty() {
            return h2("jdbc:h2:mem:" + UUID.randomUUID() + KEEP, "sa");
        }

        @Override
        public DataSource asReader(DataSource database) throws SQLException {
            execute(database, "create user reader password ''");
            execute(database, "grant select on schema \"shardmap_catalog\" to reader");
            return h2(((JdbcDataSource) database).getURL().replace(KEEP, ""), "reader");
        }

        @Override
        public DataSource unreachable() {
            return h2("jdbc:h2:tcp://127.0.0.1:1/nosuch", "sa");
        }

        private static DataSource h2(String url, String user) {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(url);
            dataSource.setUser(user);
            return dataSource;
        }
    }

    /** Databases of one real server that the test owns. */
    record Postgres(PostgresServer server) implements TestDatabases {
        /** Copied instead of migrating each test's database. */
        private static final String TEMPLATE = "with_catalogue";

        @Override
        public DataSource empty() throws SQLException {
            return database(server.createDatabase("t" + UUID.randomUUID()));
        }

        @Override
        public DataSource withCatalogue() throws SQLException {
            if (!exists(TEMPLATE)) {
                ShardMapSchema.migrate(database(server.createDatabase(TEMPLATE)));
            }
            String name = "t" + UUID.randomUUID();
            execute(server.dataSource(), "create database \"" + name + "\" template " + TEMPLATE);
            return database(server.jdbcUrl(name));
        }

        private boolean exists(String database) throws SQLException {
            try (Connection connection = server.openConnection();
                    PreparedStatement query =
                            connection.prepareStatement("select from pg_database where datname = ?")) {
                query.setString(1, database);
                try (ResultSet row = query.executeQuery()) {
                    return row.next();
                }
            }
        }

        private DataSource database(String url) {
            return postgres(url, server.user(), server.password());
        }

        @Override
        public DataSource asReader(DataSource database) throws SQLException {
            String role = "reader_" + UUID.randomUUID().toString().replace('-', '_');
            execute(database, "create role " + role + " login password 'read'");
            execute(database, "grant usage on schema shardmap_catalog to " + role);
            execute(database, "grant select on all tables in schema shardmap_catalog to " + role);
            return postgres(((PGSimpleDataSource) database).getURL(), role, "read");
        }

        @Override
        public DataSource unreachable() {
            return postgres("jdbc:postgresql://127.0.0.1:1/nosuch", "nobody", null);
        }

        private static DataSource postgres(String url, String user, String password) {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setURL(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            return dataSource;
        }
    }

    /** Runs a statement in a transaction of its own. */
    static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
