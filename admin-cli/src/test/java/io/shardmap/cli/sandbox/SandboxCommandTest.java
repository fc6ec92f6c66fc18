package io.shardmap.cli.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.cli.Shardmap;
import io.shardmap.cli.process.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SandboxCommandTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Shardmap.run(
                new Surroundings(
                        Map.of(),
                        new BufferedReader(new StringReader("")),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        false),
                arguments);
    }

    /** A sandbox that runs in a thread of this process. */
    private final class Running {
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final Thread thread = new Thread(
                () -> exit.complete(run("sandbox", "--dir", directory.toString(), "--servers", "1")), "sandbox");

        JsonNode started() throws IOException, InterruptedException {
            try (WatchService changes = FileSystems.getDefault().newWatchService()) {
                directory.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
                thread.start();
                long deadline = System.nanoTime() + LIMIT.toNanos();
                while (!Files.exists(directory.resolve("sandbox.json"))) {
                    assertTrue(System.nanoTime() < deadline && !exit.isDone(), err::toString);
                    var key = changes.poll(1, TimeUnit.SECONDS);
                    if (key != null) {
                        key.pollEvents();
                        key.reset();
                    }
                }
            }
            return JsonMapper.shared().readTree(Files.readString(directory.resolve("sandbox.json")));
        }

        int interrupted() throws Exception {
            thread.interrupt();
            return exit.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static Connection open(JsonNode database) throws SQLException {
        return DriverManager.getConnection(
                database.get("url").asString(), database.get("user").asString(), null);
    }

    @Test
    void itRunsUntilInterruptedAndASecondStartFindsDataAndPortsAgain() throws Exception {
        Running first = new Running();
        JsonNode description = first.started();
        assertEquals(1, description.get("schemaVersion").asInt());
        assertEquals("bookdbshard0", description.at("/servers/0/name").asString());
        try (Connection connection = open(description.at("/servers/0"))) {
            connection.createStatement().execute("create table kept (id int)");
        }
        assertTrue(out.toString().contains("export SHARDMAP_MAP_URL='jdbc:postgresql://127.0.0.1:"), out.toString());

        int second = run("sandbox", "--dir", directory.toString(), "--servers", "1");
        assertEquals(1, second);
        assertTrue(err.toString().contains("one sandbox at a time"), err.toString());
        assertTrue(Files.exists(directory.resolve("sandbox.json")));

        assertEquals(130, first.interrupted());
        assertFalse(Files.exists(directory.resolve("sandbox.json")));

        Running again = new Running();
        JsonNode same = again.started();
        assertEquals(description.get("servers"), same.get("servers"));
        try (Connection connection = open(same.at("/servers/0"))) {
            connection.createStatement().execute("insert into kept values (1)");
        }
        assertEquals(130, again.interrupted());
    }

    @Test
    void wrongNumbersAreRefused() {
        assertEquals(2, run("sandbox", "--dir", directory.toString(), "--servers", "0"));
        assertEquals(2, run("sandbox", "--dir", directory.toString(), "--port", "65535"));
        assertEquals(2, run("sandbox"));
    }
}
