package io.shardmap.examples.books;

import io.shardmap.Server;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Real PostgreSQL servers, child processes of this one: one for the shard map, one per name. Their data stays when they stop. */
final class EmbeddedServers implements DemoServers {
    private static final String MAP_DATABASE = "shardmap";

    private final PostgresServers servers;
    private final List<String> names;

    private EmbeddedServers(PostgresServers servers, List<String> names) {
        this.servers = servers;
        this.names = names;
    }

    /**
     * Starts the servers.
     *
     * @param directory where their data is kept; data that is there is used again
     * @param portBase port of the shard-map database; the servers follow
     * @throws io.shardmap.testkit.TestkitException when one does not start, such as for a port that is in use
     */
    static EmbeddedServers start(Path directory, int portBase, List<String> names) {
        List<String> all = new ArrayList<>(List.of(MAP_DATABASE));
        all.addAll(names);
        PostgresServers servers = PostgresServers.builder(all.toArray(String[]::new))
                .dataDirectory(directory)
                .ports(IntStream.range(portBase, portBase + all.size()).toArray())
                .start();
        return new EmbeddedServers(servers, List.copyOf(names));
    }

    @Override
    public CatalogueDatabases databases() {
        PostgresServer map = servers.get(MAP_DATABASE);
        return new CatalogueDatabases(
                map.jdbcUrl(),
                names.stream()
                        .map(name -> new Server(name, servers.get(name).jdbcUrl()))
                        .toList(),
                map.user(),
                CatalogueSql.POSTGRESQL);
    }

    /** Returns what they are, for people. */
    String description() {
        return servers.size() + " PostgreSQL " + servers.majorVersion() + " servers";
    }

    @Override
    public void close() {
        servers.close();
    }
}
