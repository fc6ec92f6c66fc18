package io.shardmap.jdbc;

import io.shardmap.Server;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.routed.RoutingConfig;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.key.KeyType;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A map "books" of eleven virtual shards on two servers, "left" (even) and "right" (odd), each with a table {@code book(id, check_digit,
 * title, printed)}; and the changes of ownership that a mover makes, by hand.
 */
public final class TwoServers implements AutoCloseable {
    public static final String MAP = "books";

    public final InMemoryShardMapStore store = new InMemoryShardMapStore();
    private final PostgresServers servers;
    private final String options;
    private ShardRouter router;

    public TwoServers(PostgresServers servers) throws SQLException {
        this(servers, "");
    }

    /** @param options connection parameters of the driver, such as {@code preferQueryMode=simple} */
    public TwoServers(PostgresServers servers, String options) throws SQLException {
        this.servers = servers;
        this.options = options;
        for (String name : new String[] {"left", "right"}) {
            try (Connection connection = admin(name);
                    Statement statement = connection.createStatement()) {
                statement.execute("drop schema if exists shardmap cascade; drop table if exists book cascade");
                ServerDialect.of(servers.get(name).jdbcUrl()).install(connection);
                statement.execute(
                        "create table book (id int primary key, check_digit int not null, title text, printed timestamp)");
            }
            store.putServer(new Server(name, url(name)));
        }
        store.createMap(
                new ShardMapDefinition(MAP, KeyType.INTEGER, new Strategy.Lookup(new KeyFunction.Identity(11))));
        for (int id = 0; id < 11; id++) {
            String home = id % 2 == 0 ? "left" : "right";
            own(home, id, 1, "OPEN");
            place(id, home, 1);
        }
    }

    private String url(String name) {
        String url = servers.get(name).jdbcUrl();
        return options.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + options;
    }

    /** A connection that nothing is proven on. */
    public Connection admin(String server) throws SQLException {
        return DriverManager.getConnection(
                servers.get(server).jdbcUrl(),
                servers.get(server).user(),
                servers.get(server).password());
    }

    /** Writes an ownership row as it is. */
    public void own(String server, int virtualShard, long epoch, String state) throws SQLException {
        sql(server, """
                insert into shardmap.ownership values (1, %d, %d, '%s', %s)
                on conflict (map_number, virtual_shard) do update
                    set epoch = excluded.epoch, state = excluded.state, fenced_until = excluded.fenced_until
                """.formatted(
                virtualShard, epoch, state, state.equals("FENCED") ? "clock_timestamp() + interval '1 hour'" : "null"));
    }

    /** Writes the placement to the map. */
    public void place(int virtualShard, String server, long epoch) {
        store.place(
                MAP,
                store.load(MAP).virtualShards().get(virtualShard),
                new VirtualShard(virtualShard, server, epoch, VirtualShard.State.ASSIGNED));
    }

    /** Moves a virtual shard that has no rows, behind every cache. */
    public void moveEmpty(int virtualShard, String from, String to, long newEpoch) throws SQLException {
        own(from, virtualShard, newEpoch, "CLOSED");
        own(to, virtualShard, newEpoch, "OPEN");
        place(virtualShard, to, newEpoch);
    }

    public void sql(String server, String sql) throws SQLException {
        try (Connection connection = admin(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs a statement that may fail, such as a DROP of what may not be there. */
    public void sql(String server, String sql, boolean ignoreFailure) throws SQLException {
        try {
            sql(server, sql);
        } catch (SQLException e) {
            if (!ignoreFailure) {
                throw e;
            }
        }
    }

    public long count(String server, String from) throws SQLException {
        try (Connection connection = admin(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + from)) {
            row.next();
            return row.getLong(1);
        }
    }

    public ShardRouter router() {
        if (router == null) {
            router = router(Duration.ofSeconds(20));
        }
        return router;
    }

    public ShardRouter router(Duration fenceWait) {
        return ShardRouter.builder(store)
                .credentials(servers.get("left").user(), servers.get("left").password())
                .pool(pool -> pool.setMaximumPoolSize(4))
                .routing(RoutingConfig.DEFAULT.withFenceWait(fenceWait))
                .build();
    }

    public Connection open(Object key) throws SQLException {
        return router().openConnection(MAP, key);
    }

    @Override
    public void close() {
        if (router != null) {
            router.close();
        }
    }
}
