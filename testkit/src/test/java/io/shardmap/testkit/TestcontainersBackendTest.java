package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs a Docker API; the image is the one of the settings, so {@code SHARDMAP_TESTKIT_IMAGE} chooses it. */
class TestcontainersBackendTest {
    private static PostgresServers servers;

    @BeforeAll
    static void startContainers() {
        assumeTrue(
                DockerApi.answers(),
                "no Docker API answers: start Docker or set DOCKER_HOST to test the testcontainers backend");
        servers = containers("a", "b").start();
    }

    @AfterAll
    static void stopContainers() {
        if (servers != null) {
            servers.close();
        }
    }

    @Test
    void runsWithProductionSettings() throws SQLException {
        for (PostgresServer server : servers) {
            assertEquals("on", Sql.value(server, "SHOW fsync"));
            assertEquals("on", Sql.value(server, "SHOW synchronous_commit"));
            assertEquals("logical", Sql.value(server, "SHOW wal_level"));
            assertEquals("10", Sql.value(server, "SHOW max_prepared_transactions"));
            assertEquals("200", Sql.value(server, "SHOW max_connections"));
        }
        assertTrue(servers.majorVersion() >= 15);
    }

    @Test
    void createsDatabases() throws SQLException {
        servers.get("b").createDatabase("books");
        assertEquals("1", Sql.value(servers.get("b"), "SELECT count(*) FROM pg_database WHERE datname = 'books'"));
        assertEquals("0", Sql.value(servers.get("a"), "SELECT count(*) FROM pg_database WHERE datname = 'books'"));
    }

    @Test
    void keepsAcknowledgedInsertsOverKillAndStart() throws SQLException {
        try (PostgresServers own = containers("c").start()) {
            PostgresServer server = own.get("c");
            Sql.execute(server, "CREATE TABLE acknowledged AS SELECT generate_series(1, 3000) AS id");
            server.kill();
            assertFalse(server.isRunning());
            restart(server);
            assertEquals("3000", Sql.value(server, "SELECT count(*) FROM acknowledged"));
            server.stop();
            assertFalse(server.isRunning());
            server.start();
            assertEquals("3000", Sql.value(server, "SELECT count(*) FROM acknowledged"));
        }
    }

    @Test
    void refusesADataDirectory(@TempDir Path directory) {
        PostgresServersBuilder builder = containers("a").dataDirectory(directory);
        assertThrows(UnsupportedOperationException.class, builder::start);
    }

    /** Some images initialise their data at each start and so cannot start twice; that is not the backend's doing. */
    private static void restart(PostgresServer server) {
        try {
            server.start();
        } catch (TestkitException e) {
            assumeTrue(
                    !String.valueOf(e.getMessage()).contains("exists but is not empty"),
                    "this image cannot start again on its own data");
            throw e;
        }
    }

    private static PostgresServersBuilder containers(String... names) {
        return PostgresServers.builder(names)
                .testkitSettings(TestkitSettings.read(
                        name -> name.equals("shardmap.testkit.backend") ? "testcontainers" : System.getProperty(name),
                        System::getenv));
    }
}
