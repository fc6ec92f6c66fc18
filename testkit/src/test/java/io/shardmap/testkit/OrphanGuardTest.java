package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
class OrphanGuardTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Another JVM: starts a server, tells its port and data directory, and ends in one of two ways or waits. */
    static final class OtherJvm {
        private OtherJvm() {}

        public static void main(String[] arguments) throws SQLException, IOException {
            PostgresServer server = PostgresServers.start("orphan").get(0);
            System.out.println("server " + server.port() + " " + Sql.value(server, "SHOW data_directory"));
            if (arguments[0].equals("waits")) {
                System.in.read();
            }
        }
    }

    @Test
    void endsTheServersOfAKilledJvm() throws IOException {
        assertNothingIsLeft("waits");
    }

    @Test
    void endsTheServersOfAJvmThatForgotToCloseThem() throws IOException {
        assertNothingIsLeft("forgets");
    }

    private static void assertNothingIsLeft(String end) throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherJvm.class.getName(),
                        end)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = jvm.inputReader()) {
            String[] server = output.readLine().split(" ");
            assertEquals("server", server[0]);
            int port = Integer.parseInt(server[1]);
            Path data = Path.of(server[2]);
            if (end.equals("waits")) {
                assertFalse(FreePorts.isFree(port));
                jvm.destroyForcibly();
            }
            assertTrue(within(LIMIT, () -> FreePorts.isFree(port) && Files.notExists(data)), "left behind: " + data);
        }
    }

    private static boolean within(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        return true;
    }
}
