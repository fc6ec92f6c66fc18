package io.shardmap.examples.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Demo.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tellsItsStoryOnH2AndChecksItself(@TempDir Path directory) throws Exception {
        int exitCode = run("--h2", "--headless", "--directory", directory.toString());

        List<String> lines = text(out).lines().toList();
        assertEquals(
                "demo: ok books=9277 rejected=723 servers=3 moved=6 lost=0", lines.get(lines.size() - 1), text(out));
        assertEquals(0, exitCode);
        assertFalse(text(out).contains("\u001b"), "no colours");
        assertEquals(724, Files.readAllLines(directory.resolve("rejected.csv")).size());
    }

    @Test
    void aPortInUseIsNamedWithTheWayOut(@TempDir Path directory) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int base = taken.getLocalPort();

            int exitCode = run("--headless", "--port-base", "" + base, "--directory", directory.toString());

            assertEquals(2, exitCode);
            assertTrue(text(err).contains("port " + base + " is in use"), text(err));
            assertTrue(text(err).contains("--port-base"), text(err));
            assertTrue(text(out).strip().lines().reduce((a, b) -> b).orElse("").startsWith("demo: failed "), text(out));
        }
    }

    @Test
    void aDirectoryIsUsedByOneDemoAtATime(@TempDir Path directory) throws Exception {
        try (DemoDirectory held = DemoDirectory.take(directory, false)) {
            assertFalse(held.isReused());
            assertThrows(DemoException.class, () -> DemoDirectory.take(directory, true));
        }
        DemoDirectory.take(directory, false).close();
    }

    @Test
    void freshDeletesWhatAnEarlierDemoKept(@TempDir Path directory) throws Exception {
        Files.createDirectories(directory.resolve("servers/bookdbshard0/data"));
        try (DemoDirectory again = DemoDirectory.take(directory, false)) {
            assertTrue(again.isReused());
        }
        try (DemoDirectory fresh = DemoDirectory.take(directory, true)) {
            assertFalse(fresh.isReused());
            assertFalse(Files.exists(fresh.servers()));
        }
    }

    @Test
    void helpNamesEveryOption() {
        assertEquals(0, run("--help"));
        for (String option : List.of("--headless", "--h2", "--keep", "--fresh", "--port-base", "--directory")) {
            assertTrue(text(out).contains(option), text(out));
        }
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertEquals(2, run("--fast"));
    }
}
