package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.TestkitException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuilderTest {
    @Test
    void keepsDataInTheDirectoryNamed(@TempDir Path directory) throws SQLException {
        try (PostgresServers servers =
                PostgresServers.builder("kept").dataDirectory(directory).start()) {
            Sql.execute(servers.get(0), "CREATE TABLE kept AS SELECT 42 AS answer");
        }
        try (PostgresServers servers = PostgresServers.builder("kept")
                .dataDirectory(directory)
                .setting("work_mem", "7MB")
                .start()) {
            assertEquals("42", Sql.value(servers.get("kept"), "SELECT answer FROM kept"));
            assertEquals("7MB", Sql.value(servers.get("kept"), "SHOW work_mem"));
        }
        assertTrue(Files.exists(directory.resolve("kept").resolve("server.log")));
    }

    @Test
    void refusesKeptDataOfAnotherMajorVersion(@TempDir Path directory) throws IOException {
        Path data = Files.createDirectories(directory.resolve("old").resolve("data"));
        Files.writeString(data.resolve("PG_VERSION"), "9\n");
        PostgresServersBuilder builder = PostgresServers.builder("old").dataDirectory(directory);

        TestkitException e = assertThrows(TestkitException.class, builder::start);

        assertEquals(Reason.VERSION_MISMATCH, e.reason());
        assertTrue(message(e).contains("data=9"), message(e));
    }

    @Test
    void namesThePortThatIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            PostgresServersBuilder builder = PostgresServers.builder("a").ports(port);

            TestkitException e = assertThrows(TestkitException.class, builder::start);

            assertEquals(Reason.PORT_IN_USE, e.reason());
            assertTrue(message(e).contains("server=a, port=" + port), message(e));
        }
    }

    @Test
    void usesThePortsGiven() throws SQLException {
        int port = FreePorts.next();
        try (PostgresServers servers = PostgresServers.builder("a").ports(port).start()) {
            assertEquals(port, servers.get(0).port());
            assertEquals(Integer.toString(port), Sql.value(servers.get(0), "SHOW port"));
        }
    }

    @Test
    void reportsTheVersionThatRunsAndRefusesAnother() {
        int running;
        try (PostgresServers servers = PostgresServers.start("a")) {
            running = servers.majorVersion();
        }
        assertTrue(running >= 15 && running <= 18, "running=" + running);
        int other = running == 15 ? 16 : 15;
        PostgresServersBuilder builder = PostgresServers.builder("a").majorVersion(other);

        TestkitException e = assertThrows(TestkitException.class, builder::start);

        assertEquals(Reason.VERSION_MISMATCH, e.reason());
        assertTrue(message(e).contains("asked=" + other + ", running=" + running), message(e));
        assertTrue(message(e).contains("-Dpostgres.binaries.version"), message(e));
    }

    @Test
    void showsTheLogOfAServerThatDoesNotStart() {
        PostgresServersBuilder builder = PostgresServers.builder("a", "b").setting("no_such_setting", "1");

        TestkitException e = assertThrows(TestkitException.class, builder::start);

        assertEquals(Reason.SERVER_FAILED, e.reason());
        assertTrue(message(e).contains("no_such_setting"), message(e));
    }

    @Test
    void refusesUseBeforeOpeningAndAfterClosing() {
        PostgresServers servers = PostgresServers.named("a");
        assertThrows(IllegalStateException.class, () -> servers.get(0));
        PostgresServer server = servers.open().get(0);
        servers.close();
        assertThrows(IllegalStateException.class, servers::all);
        assertFalse(server.isRunning());
    }

    @Test
    void refusesNoNamesAndEqualNames() {
        assertThrows(IllegalArgumentException.class, PostgresServers::named);
        assertThrows(IllegalArgumentException.class, () -> PostgresServers.named("a", "a"));
        PostgresServersBuilder builder = PostgresServers.builder("a", "b");
        assertThrows(IllegalArgumentException.class, () -> builder.ports(5432));
        assertThrows(IllegalArgumentException.class, () -> builder.ports(5432, 65_536));
        assertThrows(TestkitException.class, () -> builder.majorVersion(14));
    }

    private static String message(Throwable e) {
        return String.valueOf(e.getMessage());
    }
}
