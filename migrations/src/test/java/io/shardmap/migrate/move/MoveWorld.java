package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Two servers, "a" and "b", and the map "items" whose virtual shards are all on "a". Each test takes virtual shards of its own, with
 * rows in a parent and a child table; each virtual shard has a neighbour with rows that nobody may touch.
 */
final class MoveWorld implements AutoCloseable {
    static final String MAP = "items";
    static final MoveOptions QUICK = new MoveOptions(
            Duration.ofSeconds(5), Duration.ofSeconds(1), 10, Duration.ofSeconds(2), Duration.ofSeconds(20));
    /** Enough for all tests of a class. */
    private static final int SHARDS = 260;

    private static final String POSTGRES = """
            create table account (vs int not null, id bigint not null, name text, balance numeric(12,2), tags text[],
                picture bytea, weight double precision, at timestamptz, span interval, doc jsonb,
                doubled numeric generated always as (balance * 2) stored, primary key (vs, id));
            create table ledger (vs int not null, id bigint generated always as identity, account bigint not null,
                amount int not null, primary key (vs, id), foreign key (vs, account) references account (vs, id));
            """;
    private static final String H2 = """
            create table "account" ("vs" int not null, "id" bigint not null, "name" varchar, "balance" numeric(12,2),
                "tags" varchar array, "picture" varbinary, "weight" double precision, "at" timestamp with time zone,
                "span" interval day to second, "doc" json,
                "doubled" numeric(14,2) generated always as ("balance" * 2), primary key ("vs", "id"));
            create table "ledger" ("vs" int not null, "id" bigint generated always as identity, "account" bigint not null,
                "amount" int not null, primary key ("vs", "id"),
                foreign key ("vs", "account") references "account" ("vs", "id"));
            """;

    final JdbcShardMapStore store;
    final ServerPools pools;
    final DataSource mapDatabase;
    final List<Server> servers;
    private final Credentials credentials;
    private final boolean postgres;
    private final AtomicInteger shards = new AtomicInteger();

    private MoveWorld(
            DataSource mapDatabase, List<Server> servers, Credentials credentials, boolean postgres, int count)
            throws SQLException {
        this.mapDatabase = mapDatabase;
        this.servers = servers;
        this.credentials = credentials;
        this.postgres = postgres;
        this.pools = new ServerPools(null, server -> credentials, config -> config.setMaximumPoolSize(70));
        ShardMapSchema.migrate(mapDatabase);
        this.store = new JdbcShardMapStore(mapDatabase, "test");
        ServerRegistration registration = new ServerRegistration(store, pools);
        for (Server server : servers) {
            registration.add(server);
            execute(server, postgres ? POSTGRES : H2);
        }
        store.createMap(
                new ShardMapDefinition(MAP, KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(count))));
        TableRegistration tables = new TableRegistration(store, pools);
        tables.add(MAP, new ShardedTable(null, "ledger", "vs"), true);
        tables.add(MAP, new ShardedTable(null, "account", "vs"), true);
        new ShardAssignment(store, pools)
                .assign(MAP, IntStream.range(0, count).boxed().toList(), "a");
    }

    static MoveWorld postgres(PostgresServer map, PostgresServer a, PostgresServer b) throws SQLException {
        return postgres(map, a, b, SHARDS);
    }

    static MoveWorld postgres(PostgresServer map, PostgresServer a, PostgresServer b, int count) throws SQLException {
        return new MoveWorld(
                map.dataSource(),
                List.of(new Server("a", a.jdbcUrl()), new Server("b", b.jdbcUrl())),
                new Credentials(a.user(), a.password()),
                true,
                count);
    }

    static MoveWorld h2() throws SQLException {
        JdbcDataSource map = new JdbcDataSource();
        map.setURL(memory());
        map.setUser("sa");
        return new MoveWorld(
                map,
                List.of(new Server("a", memory()), new Server("b", memory())),
                new Credentials("sa", ""),
                false,
                SHARDS);
    }

    private static String memory() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    Moves moves() {
        return Moves.of(store, pools);
    }

    /** Returns other pools for PostgreSQL servers, whose connections tell of each statement before they prepare it. */
    ServerPools listening(Consumer<String> statement) {
        return new ServerPools(null, server -> credentials, config -> {
            PGSimpleDataSource real = new PGSimpleDataSource();
            real.setUrl(config.getJdbcUrl());
            real.setUser(credentials.user());
            real.setPassword(credentials.password());
            config.setDataSource((DataSource) Proxy.newProxyInstance(
                    MoveWorld.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> method.getName().equals("getConnection")
                            ? told(real.getConnection(), statement)
                            : method.invoke(real, arguments)));
        });
    }

    private static Object told(Connection real, Consumer<String> statement) {
        return Proxy.newProxyInstance(
                MoveWorld.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statement.accept((String) arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Server server(String name) {
        return servers.get(name.equals("a") ? 0 : 1);
    }

    /** Returns a virtual shard on "a" with rows, whose neighbour (the next number) has rows too. */
    int shard() throws SQLException {
        int shard = shards.getAndAdd(2);
        fill(shard);
        fill(shard + 1);
        return shard;
    }

    private void fill(int shard) throws SQLException {
        Server a = server("a");
        try (Connection connection = pools.open(a);
                PreparedStatement account = connection.prepareStatement("""
                        insert into "account" ("vs", "id", "name", "balance", "tags", "picture", "weight", "at", "span", "doc")
                        values (?, ?, ?, ?, array['x', null, 'back\\slash'], ?, 0.1e0, timestamp with time zone '2026-01-02 03:04:05.678901+01',
                            interval '1' day, null)
                        """);
                PreparedStatement ledger = connection.prepareStatement("""
                        insert into "ledger" ("vs", "account", "amount") values (?, ?, ?)
                        """)) {
            connection.setAutoCommit(false);
            for (int id = 1; id <= 13; id++) {
                account.setInt(1, shard);
                account.setLong(2, id);
                account.setString(3, id == 7 ? null : "näme\t" + id + "\n\\N");
                account.setBigDecimal(4, new java.math.BigDecimal("12." + (10 + id)));
                account.setBytes(5, new byte[] {0, 1, (byte) id, -1});
                account.executeUpdate();
                ledger.setInt(1, shard);
                ledger.setLong(2, id);
                ledger.setInt(3, id * 100);
                ledger.executeUpdate();
                ledger.executeUpdate();
            }
            connection.commit();
        }
    }

    /** Returns all rows of a virtual shard on a server, as text. */
    List<String> contents(String server, int shard) throws SQLException {
        List<String> rows = new ArrayList<>();
        for (String table : List.of("account", "ledger")) {
            try (Connection connection = pools.open(server(server));
                    PreparedStatement query = connection.prepareStatement("select "
                            + (postgres ? "t::text" : "*") + " from \"" + table
                            + "\" t where \"vs\" = ? order by \"id\"")) {
                query.setInt(1, shard);
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        StringBuilder text = new StringBuilder(table);
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            text.append('|').append(row.getString(i));
                        }
                        rows.add(text.toString());
                    }
                }
            }
        }
        return rows;
    }

    Ownership ownership(String server, int shard) throws SQLException {
        try (Connection connection = pools.open(server(server))) {
            return MoverDialect.of(connection).ownership(connection, place(shard));
        }
    }

    Place place(int shard) {
        return new Place(MAP, map().number(), shard);
    }

    ShardMap map() {
        return store.load(MAP);
    }

    /** Checks that a virtual shard is whole on one server, that nothing of it is on the other, and that its neighbour is untouched. */
    void assertAtRest(int shard, String owner, List<String> contents, List<String> neighbour) throws SQLException {
        String other = owner.equals("a") ? "b" : "a";
        VirtualShard placed = map().virtualShards().get(shard);
        assertEquals(owner, placed.server());
        assertEquals(VirtualShard.State.ASSIGNED, placed.state());
        Ownership here = ownership(owner, shard);
        assertEquals(new Ownership(placed.epoch(), Ownership.State.OPEN, false, false), here);
        Ownership there = ownership(other, shard);
        assertTrue(there.isClosed() && !there.holdsCopies(), () -> other + " " + there);
        assertEquals(contents, contents(owner, shard));
        assertEquals(List.of(), contents(other, shard));
        assertEquals(neighbour, contents("a", shard + 1));
        assertEquals(List.of(), contents("b", shard + 1));
    }

    void execute(Server server, String sql) throws SQLException {
        try (Connection connection = pools.open(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        pools.close();
    }
}
