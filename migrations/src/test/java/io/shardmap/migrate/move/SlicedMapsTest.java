package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardMap;
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
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Routing, guards, fan-out and moves of maps that are split by range or by hash: they see numbers of virtual shards, as in any map. */
class SlicedMapsTest {
    private static final List<String> AUTHORS =
            List.of("", "Ada", "Le Guin", "M", "Müller", "Zola", "de Beauvoir", "ŝ", "\ud83d\udcda");

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private static JdbcShardMapStore store;
    private static ServerPools pools;
    private static ShardRouter router;

    @BeforeAll
    static void open() throws SQLException {
        Credentials login =
                new Credentials(servers.get("a").user(), servers.get("a").password());
        ShardMapSchema.migrate(servers.get("map").dataSource());
        store = new JdbcShardMapStore(servers.get("map").dataSource(), "test");
        pools = new ServerPools(null, server -> login, config -> config.setMaximumPoolSize(5));
        router = ShardRouter.builder(store).credentials(server -> login).build();
        for (String name : List.of("a", "b")) {
            new ServerRegistration(store, pools)
                    .add(new Server(name, servers.get(name).jdbcUrl()));
        }
    }

    @AfterAll
    static void close() {
        router.close();
        pools.close();
    }

    @Test
    void aRangeMapIsRoutedGuardedQueriedAndMoved() throws SQLException {
        Strategy range = Strategy.Range.cutAt(KeyType.STRING, List.of("M", "a", "ŝ"));

        routedGuardedQueriedAndMoved("by_name", range);
    }

    @Test
    void aHashMapIsRoutedGuardedQueriedAndMoved() throws SQLException {
        routedGuardedQueriedAndMoved("by_token", Strategy.Hash.even(4));
    }

    private static void routedGuardedQueriedAndMoved(String map, Strategy strategy) throws SQLException {
        prepare(map, strategy);
        for (String author : AUTHORS) {
            insert(map, author, virtualShardOf(map, author));
        }
        assertEquals(AUTHORS.size(), rowsOverAllServers(map));

        String moved = "M\u00fcller";
        int virtualShard = virtualShardOf(map, moved);
        String target = store.load(map).route(moved).server().name().equals("a") ? "b" : "a";
        Moves moves = Moves.of(store, pools);
        MoveId move = moves.start(map, virtualShard, target, MoveWorld.QUICK);
        assertEquals(MoveState.DONE, moves.run(move).state());

        assertEquals(target, store.load(map).route(moved).server().name());
        assertEquals(AUTHORS.size(), rowsOverAllServers(map));
        for (String author : AUTHORS) {
            assertEquals(1, rowsOf(map, author), author);
        }
        int elsewhere =
                store.load(map).placements().get(target.equals("a") ? "b" : "a").get(0);
        SQLException refusal = assertThrows(
                SQLException.class, () -> insert(map, moved, elsewhere), "the guard looks at the row's number");
        assertTrue(refusal.getMessage().contains("virtual shard"), refusal.getMessage());
        assertEquals(AUTHORS.size(), rowsOverAllServers(map));
    }

    private static void prepare(String map, Strategy strategy) throws SQLException {
        for (String name : List.of("a", "b")) {
            try (Connection connection = servers.get(name).openConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "create table " + map + " (vs int not null, author text not null, primary key (vs, author))");
            }
        }
        ShardMap created = store.createMap(new ShardMapDefinition(map, KeyType.STRING, strategy));
        new TableRegistration(store, pools).add(map, new ShardedTable(null, map, "vs"), true);
        int count = created.virtualShards().size();
        ShardAssignment assignment = new ShardAssignment(store, pools);
        assignment.assign(map, IntStream.range(0, count / 2).boxed().toList(), "a");
        assignment.assign(map, IntStream.range(count / 2, count).boxed().toList(), "b");
    }

    private static int virtualShardOf(String map, String author) throws SQLException {
        return router.map(map).virtualShardOf(author);
    }

    private static void insert(String map, String author, int virtualShard) throws SQLException {
        try (Connection connection = router.openConnection(map, author);
                PreparedStatement insert = connection.prepareStatement("insert into " + map + " values (?, ?)")) {
            insert.setInt(1, virtualShard);
            insert.setString(2, author);
            insert.executeUpdate();
        }
    }

    private static int rowsOf(String map, String author) throws SQLException {
        try (Connection connection = router.openConnection(map, author);
                PreparedStatement query =
                        connection.prepareStatement("select count(*) from " + map + " where vs = ? and author = ?")) {
            query.setInt(1, virtualShardOf(map, author));
            query.setString(2, author);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static int rowsOverAllServers(String map) throws SQLException {
        return router.fanOut(map)
                .query("select count(*) from " + map, row -> row.getInt(1))
                .get(0);
    }
}
