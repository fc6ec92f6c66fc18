package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddedServersTest {
    private static final int ROWS = 3_000;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("bookdbshard0", "bookdbshard1", "bookdbshard2");

    @ParameterizedTest
    @CsvSource({
        "fsync, on",
        "synchronous_commit, on",
        "full_page_writes, on",
        "wal_level, logical",
        "max_prepared_transactions, 10",
        "max_connections, 200",
        "listen_addresses, 127.0.0.1",
        "server_encoding, UTF8"
    })
    void runWithProductionSettings(String setting, String expected) throws SQLException {
        for (PostgresServer server : servers) {
            assertEquals(expected, Sql.value(server, "SHOW " + setting), server.name());
        }
    }

    @Test
    void haveDifferentSystemIdentifiers() throws SQLException {
        String identifier = "SELECT system_identifier FROM pg_control_system()";
        assertNotEquals(Sql.value(servers.get(0), identifier), Sql.value(servers.get(1), identifier));
    }

    @Test
    void areFoundByNameAndByIndex() {
        assertEquals(servers.get(1), servers.get("bookdbshard1"));
        assertThrows(IllegalArgumentException.class, () -> servers.get("unknown"));
        assertThrows(IllegalArgumentException.class, () -> servers.get(3));
    }

    @Test
    void keepAcknowledgedInsertsOverKillAndStart() throws SQLException {
        PostgresServer server = servers.get(0);
        try (Connection connection = server.openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE acknowledged (id int PRIMARY KEY)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO acknowledged VALUES (?)")) {
                for (int id = 0; id < ROWS; id++) {
                    insert.setInt(1, id);
                    insert.executeUpdate();
                }
            }
            server.kill();
        }
        assertFalse(server.isRunning());
        assertThrows(SQLException.class, server::openConnection);
        int port = server.port();

        server.start();

        assertTrue(server.isRunning());
        assertEquals(port, server.port());
        assertEquals(Integer.toString(ROWS), Sql.value(server, "SELECT count(*) FROM acknowledged"));
    }

    @Test
    void stopInOrderAndStartAgain() throws SQLException {
        PostgresServer server = servers.get("bookdbshard1");
        String url = server.createDatabase("Kept \"over\" restart");
        try (Connection open = server.openConnection()) {
            server.stop();
            assertFalse(open.isValid(1));
        }
        assertFalse(server.isRunning());
        server.stop();
        server.start();
        server.start();
        assertEquals(
                "1", Sql.value(server, "SELECT count(*) FROM pg_database WHERE datname = 'Kept \"over\" restart'"));
        assertTrue(url.endsWith("Kept \"over\" restart"), url);
    }

    @Nested
    class NestedClass {
        @Test
        void usesTheSameServers() {
            assertTrue(servers.get(2).isRunning());
        }
    }
}
