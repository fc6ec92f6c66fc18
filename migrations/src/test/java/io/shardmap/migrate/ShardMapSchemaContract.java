package io.shardmap.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the catalogue comes into a database, whichever database it is. */
@Timeout(60)
abstract class ShardMapSchemaContract {
    private DataSource database;

    abstract TestDatabases databases();

    @BeforeEach
    void createDatabase() throws SQLException {
        database = databases().empty();
    }

    @Test
    void anEmptyDatabaseHasVersionZeroAndAskingLeavesItEmpty() throws SQLException {
        assertEquals(0, ShardMapSchema.version(database));
        assertEquals(0, ShardMapSchema.version(database));
        assertEquals(List.of(), schemasOfTables());
    }

    @Test
    void migratingTwiceIsTheSameAsOnce() {
        ShardMapSchema.migrate(database);
        assertEquals(2, ShardMapSchema.version(database));

        ShardMapSchema.migrate(database);
        assertEquals(2, ShardMapSchema.version(database));
    }

    @Test
    void everythingLivesInOneSchema() throws SQLException {
        ShardMapSchema.migrate(database);

        assertEquals(List.of("shardmap_catalog"), schemasOfTables());
    }

    @Test
    void theApplicationsOwnFlywayIsNotDisturbed() throws SQLException {
        TestDatabases.execute(database, "create table mine (id integer)");
        Flyway own = Flyway.configure()
                .dataSource(database)
                .locations("classpath:no/such/migrations")
                .failOnMissingLocations(false)
                .baselineOnMigrate(true)
                .baselineVersion("7")
                .load();
        own.migrate();

        ShardMapSchema.migrate(database);

        assertEquals("7", own.info().current().getVersion().toString());
        assertEquals(2, ShardMapSchema.version(database));
        own.validate();
    }

    @Test
    void clientsThatMigrateAtTheSameTimeAllSucceed() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                running.add(threads.submit(() -> ShardMapSchema.migrate(database)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(2, ShardMapSchema.version(database));
    }

    @Test
    void aSchemaOfANewerClientIsLeftAloneAndNamed() throws SQLException {
        ShardMapSchema.migrate(database);
        TestDatabases.execute(database, """
                insert into "shardmap_catalog"."schema_history"
                    ("installed_rank", "version", "description", "type", "script", "checksum",
                     "installed_by", "installed_on", "execution_time", "success")
                values (99, '42', 'future', 'SQL', 'V42__future.sql', 1, 'x', current_timestamp, 1, true)""");

        ShardMapException refusal = assertThrows(ShardMapException.class, () -> ShardMapSchema.migrate(database));
        assertEquals(ErrorCode.UNSUPPORTED_MAP, refusal.code());
        assertTrue(refusal.getMessage().contains("stored version=42"), refusal.getMessage());
        assertEquals(42, ShardMapSchema.version(database));
    }

    @Test
    void readOnlyCredentialsSufficeToAskForTheVersion() throws SQLException {
        ShardMapSchema.migrate(database);

        assertEquals(2, ShardMapSchema.version(databases().asReader(database)));
    }

    @Test
    void aDatabaseThatIsDownIsReportedAsUnavailable() {
        DataSource down = databases().unreachable();

        assertEquals(
                ErrorCode.STORE_UNAVAILABLE,
                assertThrows(ShardMapException.class, () -> ShardMapSchema.migrate(down))
                        .code());
        assertEquals(
                ErrorCode.STORE_UNAVAILABLE,
                assertThrows(ShardMapException.class, () -> ShardMapSchema.version(down))
                        .code());
    }

    private List<String> schemasOfTables() throws SQLException {
        List<String> schemas = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        select distinct table_schema from information_schema.tables
                         where lower(table_schema) not in ('information_schema', 'pg_catalog')""")) {
            while (rows.next()) {
                schemas.add(rows.getString(1));
            }
        }
        return schemas;
    }
}
