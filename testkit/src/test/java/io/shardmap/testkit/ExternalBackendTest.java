package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.TestkitException.Reason;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers of the embedded backend stand in for external ones. */
class ExternalBackendTest {
    @RegisterExtension
    static final PostgresServers given = PostgresServers.shared("given0", "given1");

    @Test
    void offersFreshDatabasesOnTheServersGiven() throws SQLException {
        String database;
        try (PostgresServers servers = external("a", "b").start()) {
            assertEquals(given.get(1).port(), servers.get("b").port());
            assertTrue(servers.get("b").isRunning());
            assertTrue(servers.get("b").jdbcUrl().endsWith("?ApplicationName=testkit"));
            database = Sql.value(servers.get("b"), "SELECT current_database()");
            assertNotEquals(Sql.value(given.get(1), "SELECT current_database()"), database);
        }
        String left = "SELECT count(*) FROM pg_database WHERE datname = '" + database + "'";
        assertEquals("0", Sql.value(given.get(1), left));
    }

    @Test
    void refusesToStopOrKillThem() {
        try (PostgresServers servers = external("a").start()) {
            UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class, servers.get(0)::kill);
            assertTrue(String.valueOf(e.getMessage()).contains("shardmap.testkit.backend"));
            assertThrows(UnsupportedOperationException.class, servers.get(0)::stop);
        }
    }

    @Test
    void needsAUrlForEachServer() {
        PostgresServersBuilder builder = external("a", "b", "c");
        TestkitException e = assertThrows(TestkitException.class, builder::start);
        assertEquals(Reason.BAD_SETTING, e.reason());
        assertTrue(String.valueOf(e.getMessage()).contains("server=c, number=3, urls=2"));
    }

    private static PostgresServersBuilder external(String... names) {
        Map<String, String> properties = Map.of(
                "shardmap.testkit.backend",
                "external",
                "shardmap.testkit.urls",
                given.get(0).jdbcUrl() + ", " + given.get(1).jdbcUrl() + "?ApplicationName=testkit");
        Map<String, String> environment = Map.of(
                "SHARDMAP_TESTKIT_USER", Objects.requireNonNull(given.get(0).user()));
        return PostgresServers.builder(names).testkitSettings(TestkitSettings.read(properties::get, environment::get));
    }
}
