package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.migrate.place.ShardAssignment;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Servers of its own, a {@link BankLoad} on the virtual shard 1, which is on "a", and neighbours that nobody may touch. */
final class BankScene implements AutoCloseable {
    /** What PostgreSQL itself says in a conflict of two transactions. */
    private static final String CONFLICT = "(40001 ERROR: could not serialize access|40P01 ERROR: deadlock detected).*";

    /** Rows of the virtual shards that nobody writes to, wherever they are. */
    private static final String NEIGHBOURS = """
            select coalesce((select sum(hashtext(e::text)) from event e where vs <> 1), 0)
                 + coalesce((select sum(hashtext(a::text)) from account a where vs <> 1), 0)
                 + coalesce((select sum(hashtext(c::text)) from counter c where vs <> 1), 0)
            """;

    private static final String STREAMS = """
            select (select count(*) from pg_replication_slots) + (select count(*) from pg_publication)
                 + (select count(*) from pg_subscription) + (select count(*) from pg_replication_origin)
            """;

    private final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("deadlock_timeout", "50ms")
            .setting("wal_retrieve_retry_interval", "200ms")
            .start();
    private final List<Long> neighbours = new ArrayList<>();
    private final JdbcShardMapStore store;
    private final ServerPools pools;
    private final ShardRouter router;
    private final BankLoad load;

    BankScene() throws SQLException {
        PostgresServer a = servers.get("a");
        Credentials login = new Credentials(a.user(), a.password());
        ShardMapSchema.migrate(servers.get("map").dataSource());
        store = new JdbcShardMapStore(servers.get("map").dataSource(), "test");
        pools = new ServerPools(null, server -> login, config -> {});
        prepare();
        router = ShardRouter.builder(store)
                .credentials(server -> login)
                .pool(config -> config.setMaximumPoolSize(BankLoad.WRITERS + 4))
                .build();
        load = new BankLoad(router);
    }

    BankLoad load() {
        return load;
    }

    Moves moves() {
        return Moves.of(store, pools);
    }

    private void prepare() throws SQLException {
        for (String name : List.of("a", "b")) {
            Server server = new Server(name, servers.get(name).jdbcUrl());
            new ServerRegistration(store, pools).add(server);
            execute(name, BankLoad.TABLES);
        }
        store.createMap(new ShardMapDefinition(
                BankLoad.MAP, KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(BankLoad.SHARDS))));
        TableRegistration tables = new TableRegistration(store, pools);
        for (String table : List.of("event", "account", "counter")) {
            tables.add(BankLoad.MAP, new ShardedTable(null, table, "vs"), true);
        }
        new ShardAssignment(store, pools).assign(BankLoad.MAP, List.of(0, 1), "a");
        new ShardAssignment(store, pools).assign(BankLoad.MAP, List.of(2), "b");
        unguarded("a", BankLoad.rows(0) + "; " + BankLoad.rows(1));
        unguarded("b", BankLoad.rows(2));
        for (String name : List.of("a", "b")) {
            neighbours.add(number(name, NEIGHBOURS));
        }
    }

    /** Checks, when the load is over, that the servers have what it knows of, on the owner of the virtual shard alone, and nothing of a move. */
    void assertNothingLost(String owner, BankLoad.Report... reports) throws SQLException {
        for (BankLoad.Report report : reports) {
            assertEquals(Set.of(), report.wrong);
            for (String error : report.errors.keySet()) {
                assertTrue(error.matches(CONFLICT), () -> "error: " + report);
            }
            assertTrue(report.written.get() > BankLoad.WRITERS, () -> "the load ran: " + report);
        }
        Set<String> stored = new TreeSet<>();
        try (Connection connection = servers.get(owner).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select writer || '/' || seq from event where vs = 1 and writer < 100")) {
            while (row.next()) {
                assertTrue(stored.add(row.getString(1)), "once");
            }
        }
        assertEquals(load.acknowledged(), stored, "every acknowledged write once, and no other");
        assertEquals(load.transactions.get(), number(owner, "select sum(n) from counter where vs = 1"));
        assertEquals(
                5_000, number(owner, "select count(*) from event where vs = 1 and writer = 100 and note = 'before'"));
        assertEquals(BankLoad.ACCOUNTS, number(owner, """
                        select count(*) from account where vs = 1 and big = repeat(md5(id::text), 300)
                           and tags = array['a', null, 'b'] and doc = '{"k": [1, null]}'
                        """));
        String other = owner.equals("a") ? "b" : "a";
        for (String table : List.of("event", "account", "counter")) {
            assertEquals(0, number(other, "select count(*) from " + table + " where vs = 1"));
        }
        for (String name : List.of("a", "b")) {
            assertEquals(neighbours.get(name.equals("a") ? 0 : 1), number(name, NEIGHBOURS), "neighbours");
            assertEquals(0, number(name, STREAMS));
        }
    }

    private void unguarded(String server, String sql) throws SQLException {
        execute(server, "set session_replication_role = replica; " + sql);
    }

    private void execute(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        load.close();
        router.close();
        pools.close();
        servers.close();
    }
}
