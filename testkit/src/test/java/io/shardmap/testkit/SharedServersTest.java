package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SharedServersTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("a", "b");

    @Test
    void areReusedWithFreshDatabases() throws SQLException {
        Sql.execute(servers.get("a"), "CREATE TABLE mine (id int)");
        String database = Sql.value(servers.get("a"), "SELECT current_database()");
        String loan;
        try (PostgresServers others = PostgresServers.shared("x", "y").open()) {
            PostgresServer other = others.get("x");
            assertEquals(servers.get("a").port(), other.port());
            loan = Sql.value(other, "SELECT current_database()");
            assertNotEquals(database, loan);
            assertEquals("0", Sql.value(other, "SELECT count(*) FROM pg_class WHERE relname = 'mine'"));
        }
        String left = "SELECT count(*) FROM pg_database WHERE datname = '" + loan + "'";
        assertEquals("0", Sql.value(servers.get("a"), left));
    }

    @Test
    void areDifferentServers() {
        assertNotEquals(servers.get("a").port(), servers.get("b").port());
        assertEquals(2, servers.size());
    }

    @Test
    void refuseToBeStoppedOrKilled() {
        PostgresServer server = servers.get("a");
        UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class, server::kill);
        assertTrue(String.valueOf(e.getMessage()).contains("PostgresServers.named"));
        assertThrows(UnsupportedOperationException.class, server::stop);
        assertTrue(server.isRunning());
        server.start();
    }
}
