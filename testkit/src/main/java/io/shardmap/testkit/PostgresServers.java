package io.shardmap.testkit;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * N real PostgreSQL servers for a test, in one line.
 *
 * <p>In a JUnit Jupiter test class, as a <em>static</em> field: the servers start before all tests of the class and
 * end after them, nested classes included.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final PostgresServers servers = PostgresServers.named("bookdbshard0", "bookdbshard1", "bookdbshard2");
 * }</pre>
 *
 * <p>Without JUnit:
 *
 * <pre>{@code
 * try (PostgresServers servers = PostgresServers.start("bookdbshard0", "bookdbshard1")) { ... }
 * }</pre>
 *
 * <p>{@link #shared} costs least: the servers run on from class to class and each class gets fresh databases. Use
 * {@link #named} in tests that stop or kill servers, or that change what a server has only once (roles, settings,
 * replication slots, subscriptions).
 *
 * <p>All servers listen on loopback only and run with {@code fsync=on}, {@code synchronous_commit=on},
 * {@code wal_level=logical}, {@code max_prepared_transactions=10} and {@code max_connections=200}; external servers
 * run as they were set up. The system property {@code shardmap.testkit.backend} (or the environment variable
 * {@code SHARDMAP_TESTKIT_BACKEND}) chooses what runs them: {@code embedded} (the default), {@code testcontainers} or
 * {@code external}. Thread-safe.
 */
public final class PostgresServers
        implements BeforeAllCallback, AfterAllCallback, AutoCloseable, Iterable<PostgresServer> {
    private final List<String> names;
    private final ServerSource source;
    private @Nullable List<PostgresServer> open;
    private int users;

    PostgresServers(List<String> names, ServerSource source) {
        this.names = List.copyOf(names);
        this.source = source;
    }

    /**
     * Servers of one's own, not yet started: for a static field with {@code @RegisterExtension}.
     *
     * @param names the servers' names, at least one, each once
     * @return servers that JUnit starts and closes
     * @throws IllegalArgumentException if there is no name, or one twice
     * @throws TestkitException if a setting is malformed
     */
    public static PostgresServers named(String... names) {
        return builder(names).build();
    }

    /**
     * Starts servers of one's own at once; the caller closes them.
     *
     * @param names the servers' names, at least one, each once
     * @return running servers
     * @throws IllegalArgumentException if there is no name, or one twice
     * @throws TestkitException if a setting is malformed or a server does not start
     */
    public static PostgresServers start(String... names) {
        return builder(names).start();
    }

    /**
     * Servers shared by all test classes of this JVM, seen through fresh databases: for a static field with
     * {@code @RegisterExtension}, or in a try block after {@link #open()}. The first use starts the servers, the end
     * of the JVM stops them; each opening creates a database on each server, and closing drops it.
     *
     * @param names the names to give them here, at least one, each once; other classes may use other names for the
     *     same servers
     * @return servers that cannot be stopped, killed or given settings
     * @throws IllegalArgumentException if there is no name, or one twice
     */
    public static PostgresServers shared(String... names) {
        List<String> checked = PostgresServersBuilder.checkNames(names);
        return new PostgresServers(checked, SharedServers.of(checked));
    }

    /**
     * Servers of one's own with options.
     *
     * @param names the servers' names, at least one, each once
     * @return a builder with the defaults
     * @throws IllegalArgumentException if there is no name, or one twice
     * @throws TestkitException if a setting is malformed
     */
    public static PostgresServersBuilder builder(String... names) {
        return new PostgresServersBuilder(PostgresServersBuilder.checkNames(names), TestkitSettings.ofThisProcess());
    }

    /**
     * Starts the servers, side by side, if they are not open yet. JUnit does this itself.
     *
     * @return this
     * @throws TestkitException if a server does not start; then none stays running
     */
    public synchronized PostgresServers open() {
        if (open == null) {
            open = source.open();
        }
        return this;
    }

    /**
     * The server with a name.
     *
     * @param name one of the names given
     * @return the server
     * @throws IllegalArgumentException if there is none of that name
     * @throws IllegalStateException if the servers are not open
     */
    public PostgresServer get(String name) {
        for (PostgresServer server : all()) {
            if (server.name().equals(name)) {
                return server;
            }
        }
        throw new IllegalArgumentException("a server must be one of the set: name=" + name + ", names=" + names);
    }

    /**
     * The server at a place.
     *
     * @param index its place in the order of the names, from 0
     * @return the server
     * @throws IllegalArgumentException if there is none at that place
     * @throws IllegalStateException if the servers are not open
     */
    public PostgresServer get(int index) {
        List<PostgresServer> servers = all();
        if (index < 0 || index >= servers.size()) {
            throw new IllegalArgumentException(
                    "a server index must be >= 0 and < " + servers.size() + ": index=" + index);
        }
        return servers.get(index);
    }

    /**
     * All servers, in the order of their names.
     *
     * @return an immutable list
     * @throws IllegalStateException if the servers are not open
     */
    public synchronized List<PostgresServer> all() {
        if (open == null) {
            throw new IllegalStateException("servers must be open before use: names=" + names
                    + "; make the @RegisterExtension field static, or call open() or PostgresServers.start");
        }
        return open;
    }

    /**
     * How many servers there are.
     *
     * @return at least 1
     */
    public int size() {
        return names.size();
    }

    /**
     * Iterates over {@link #all()}.
     *
     * @throws IllegalStateException if the servers are not open
     */
    @Override
    public Iterator<PostgresServer> iterator() {
        return all().iterator();
    }

    /**
     * The major version of PostgreSQL that really runs, asked from the first server.
     *
     * @return 15 to 18
     * @throws IllegalStateException if the servers are not open
     * @throws TestkitException if the first server does not answer
     */
    public int majorVersion() {
        return get(0).majorVersion();
    }

    /** Ends the servers and deletes data nobody asked to keep; does nothing if they are not open. */
    @Override
    public synchronized void close() {
        if (open != null) {
            open.forEach(PostgresServer::close);
            open = null;
        }
    }

    /** Called by JUnit: opens the servers for the outermost class. */
    @Override
    public synchronized void beforeAll(ExtensionContext context) {
        // Counted first: JUnit calls afterAll also when this fails.
        users++;
        open();
    }

    /** Called by JUnit: closes the servers after the outermost class. */
    @Override
    public synchronized void afterAll(ExtensionContext context) {
        if (--users == 0) {
            close();
        }
    }
}
