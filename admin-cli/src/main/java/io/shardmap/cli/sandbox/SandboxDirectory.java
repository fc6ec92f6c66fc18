package io.shardmap.cli.sandbox;

import io.shardmap.cli.output.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a sandbox beside its data: {@code sandbox.json} and {@code sandbox.env} exist exactly while its servers accept
 * connections, {@code ports.properties} outlives them. Of two processes, one can have it open.
 */
final class SandboxDirectory implements AutoCloseable {
    static final String ENVIRONMENT = "sandbox.env";

    private static final String DESCRIPTION = "sandbox.json";
    private static final String PORTS = "ports.properties";
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Path directory;
    private final FileChannel lock;

    /** A database that runs. */
    record Database(String name, String url, String user) {}

    private record Description(
            int schemaVersion, long pid, Database shardMap, List<Database> servers, List<String> exports) {}

    private SandboxDirectory(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Opens the directory, creating it if it is missing.
     *
     * @throws IOException when another process has it open, or it cannot be written
     */
    static SandboxDirectory open(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel lock = FileChannel.open(
                directory.resolve("sandbox.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = lock.tryLock() != null;
        } catch (OverlappingFileLockException inThisProcess) {
            locked = false;
        } finally {
            if (!locked) {
                lock.close();
            }
        }
        if (!locked) {
            throw new IOException("a directory must be used by one sandbox at a time: dir=" + directory
                    + "; stop the one that runs, or name another directory");
        }
        SandboxDirectory sandbox = new SandboxDirectory(directory, lock);
        sandbox.retract();
        return sandbox;
    }

    /** Returns the port that a server had last time, or 0. */
    int keptPort(String server) throws IOException {
        return Integer.parseInt(ports().getProperty(server, "0"));
    }

    /** Keeps the port of a server for the next time. */
    void keepPort(String server, int port) throws IOException {
        Properties ports = ports();
        ports.setProperty(server, Integer.toString(port));
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(ports)
                .forEach((name, value) ->
                        lines.append(name).append('=').append(value).append('\n'));
        write(PORTS, lines.toString());
    }

    private Properties ports() throws IOException {
        Properties ports = new Properties();
        Path file = directory.resolve(PORTS);
        if (Files.exists(file)) {
            try (var lines = Files.newBufferedReader(file)) {
                ports.load(lines);
            }
        }
        return ports;
    }

    /** Says that everything runs. */
    void announce(Database shardMap, List<Database> servers) throws IOException {
        List<String> exports = exports(shardMap, servers.get(0));
        write(ENVIRONMENT, String.join("\n", exports) + "\n");
        Description description =
                new Description(Output.SCHEMA_VERSION, ProcessHandle.current().pid(), shardMap, servers, exports);
        write(DESCRIPTION, JSON.writeValueAsString(description) + "\n");
    }

    /** Returns what a shell needs, to reach the shard-map database and all servers. */
    static List<String> exports(Database shardMap, Database anyServer) {
        return List.of(
                "export SHARDMAP_MAP_URL='" + shardMap.url() + "'",
                "export SHARDMAP_MAP_USER='" + shardMap.user() + "'",
                "export SHARDMAP_SERVER_USER='" + anyServer.user() + "'");
    }

    /** Takes back what {@link #announce} said. */
    void retract() {
        try {
            Files.deleteIfExists(directory.resolve(DESCRIPTION));
            Files.deleteIfExists(directory.resolve(ENVIRONMENT));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** Whoever waits for a file finds it whole. */
    private void write(String name, String text) throws IOException {
        Path written = directory.resolve(name + ".new");
        Files.writeString(written, text);
        Files.move(
                written, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        retract();
        lock.close();
    }
}
