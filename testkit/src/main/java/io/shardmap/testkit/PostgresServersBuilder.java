package io.shardmap.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link PostgresServers}. Not thread-safe. Servers from the external backend take no options but the
 * version.
 */
public final class PostgresServersBuilder {
    /** Durable as in production, and ready for logical replication, two-phase commit and many test clients. */
    static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("fsync", "on"),
            Map.entry("synchronous_commit", "on"),
            Map.entry("wal_level", "logical"),
            Map.entry("max_prepared_transactions", "10"),
            Map.entry("max_connections", "200"),
            Map.entry("max_wal_senders", "20"),
            Map.entry("max_replication_slots", "20"),
            Map.entry("max_worker_processes", "20"),
            Map.entry("max_logical_replication_workers", "16"));

    private static final int HIGHEST_PORT = 65_535;

    private final List<String> names;
    private final Map<String, String> serverSettings = new LinkedHashMap<>(SETTINGS);
    private TestkitSettings settings;
    private @Nullable Path dataDirectory;
    private int[] ports = {};

    PostgresServersBuilder(List<String> names, TestkitSettings settings) {
        this.names = names;
        this.settings = settings;
    }

    static List<String> checkNames(String... names) {
        if (names.length == 0) {
            throw new IllegalArgumentException("a set of servers must have a server: names=[]; name at least one");
        }
        if (new LinkedHashSet<>(Arrays.asList(names)).size() < names.length) {
            throw new IllegalArgumentException(
                    "server names must differ: names=" + Arrays.toString(names) + "; name each once");
        }
        return List.of(names);
    }

    /**
     * Keeps the data after close, in {@code directory/<server name>}; servers started there again find it. Default:
     * temporary directories that close deletes. Embedded backend only.
     *
     * @param directory a directory, created if missing, that no running server uses
     * @return this
     */
    public PostgresServersBuilder dataDirectory(Path directory) {
        this.dataDirectory = directory;
        return this;
    }

    /**
     * Fixes the TCP ports. Default: any free ports, from 15000 to 31999.
     *
     * @param fixedPorts one port per name, in their order, each 1 to 65535, or 0 for any free port
     * @return this
     * @throws IllegalArgumentException if there are not as many ports as names, or one is out of range
     */
    public PostgresServersBuilder ports(int... fixedPorts) {
        if (fixedPorts.length != names.size()) {
            throw new IllegalArgumentException(
                    "there must be one port per server: ports=" + Arrays.toString(fixedPorts) + ", names=" + names);
        }
        for (int port : fixedPorts) {
            if (port < 0 || port > HIGHEST_PORT) {
                throw new IllegalArgumentException("a port must be >= 0 and <= " + HIGHEST_PORT + ": port=" + port);
            }
        }
        this.ports = fixedPorts.clone();
        return this;
    }

    /**
     * Sets a PostgreSQL server setting on all servers, for example {@code ("max_connections", "500")}. A later call
     * with the same name replaces the value.
     *
     * @param name the setting's name
     * @param value its value, unquoted
     * @return this
     */
    public PostgresServersBuilder setting(String name, String value) {
        serverSettings.put(name, value);
        return this;
    }

    /**
     * Requires a PostgreSQL major version. Default: the setting {@code shardmap.testkit.postgres}, or else whatever
     * runs. The Testcontainers backend chooses its image by it; the others verify it, since binaries and external
     * servers are what they are.
     *
     * @param major 15 to 18
     * @return this
     * @throws TestkitException if it is out of range
     */
    public PostgresServersBuilder majorVersion(int major) {
        this.settings = settings.withMajorVersion(major);
        return this;
    }

    /** Replaces the settings of this process, for the testkit's own tests. */
    PostgresServersBuilder testkitSettings(TestkitSettings replacement) {
        this.settings = replacement;
        return this;
    }

    /**
     * Servers not yet started: for a static field with {@code @RegisterExtension}.
     *
     * @return servers that JUnit, or {@link PostgresServers#open()}, starts
     */
    public PostgresServers build() {
        List<ServerPlan> plans = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index);
            plans.add(new ServerPlan(
                    name,
                    index,
                    dataDirectory == null ? null : dataDirectory.resolve(name),
                    ports.length == 0 ? 0 : ports[index],
                    serverSettings));
        }
        return new PostgresServers(names, new OwnServers(ServerBackend.of(settings), plans, settings.majorVersion()));
    }

    /**
     * Starts the servers at once; the caller closes them.
     *
     * @return running servers
     * @throws TestkitException if a server does not start; then none stays running
     */
    public PostgresServers start() {
        return build().open();
    }
}
