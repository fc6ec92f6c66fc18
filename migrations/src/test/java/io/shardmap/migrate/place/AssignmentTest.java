package io.shardmap.migrate.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.VirtualShard;
import io.shardmap.VirtualShard.State;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.key.KeyType;
import io.shardmap.migrate.ShardMapSchema;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On H2, which needs lock rows besides; the tests of moves assign on PostgreSQL. */
class AssignmentTest {
    private ServerPools pools;
    private JdbcShardMapStore store;
    private final Server a = new Server("a", memory());
    private final Server b = new Server("b", memory());

    private static String memory() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    @BeforeEach
    void open() {
        pools = new ServerPools(null, server -> new Credentials("sa", ""), config -> {});
        JdbcDataSource map = new JdbcDataSource();
        map.setURL(memory());
        map.setUser("sa");
        ShardMapSchema.migrate(map);
        store = new JdbcShardMapStore(map, "test");
        store.createMap(
                new ShardMapDefinition("items", KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(10))));
        ServerRegistration registration = new ServerRegistration(store, pools);
        registration.add(a);
        registration.add(b);
    }

    @AfterEach
    void close() {
        pools.close();
    }

    private void on(Server server, String sql) throws SQLException {
        try (Connection connection = pools.open(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource(ShardAssignment.Step.class)
    void anAssignmentThatDiedIsCompletedByRepeatingIt(ShardAssignment.Step fatal) throws SQLException {
        ShardAssignment dying = new ShardAssignment(store, pools, step -> {
            if (step == fatal) {
                throw new AssertionError("dies");
            }
        });
        assertThrows(AssertionError.class, () -> dying.assign("items", List.of(3, 4), "a"));

        ShardAssignment assignment = new ShardAssignment(store, pools);
        assignment.assign("items", List.of(3, 4, 5), "a");

        List<VirtualShard> shards = store.load("items").virtualShards();
        for (int id : new int[] {3, 4, 5}) {
            assertEquals(new VirtualShard(id, "a", 1, State.ASSIGNED), shards.get(id));
        }
        assertEquals(VirtualShard.unassigned(6), shards.get(6));
        try (Connection connection = pools.open(a)) {
            assertEquals(
                    Refusal.NONE,
                    pools.dialect(a).tryEnter(connection, store.load("items").routeOf(3)));
            assertEquals(
                    3,
                    OwnershipTable.read(connection, store.load("items").number())
                            .size());
        }
        assertTrue(assignment.assign("items", List.of(3, 4, 5), "a").epochs().isEmpty(), "again");
    }

    @Test
    void anEpochIsHigherThanOnAnyServerAndWhatIsOpenElsewhereIsRefused() throws SQLException {
        int map = store.load("items").number();
        on(
                b,
                "insert into \"shardmap\".\"ownership\" (\"map_number\", \"virtual_shard\", \"epoch\", \"state\") values ("
                        + map + ", 1, 41, 'CLOSED'), (" + map + ", 2, 7, 'OPEN')");
        ShardAssignment assignment = new ShardAssignment(store, pools);

        assertEquals(42, assignment.assign("items", List.of(1), "a").epochs().get(1));
        AssignmentRefusedException refusal = assertThrows(
                AssignmentRefusedException.class, () -> assignment.assign("items", List.of(1, 2, 77), "b"));

        assertEquals(3, refusal.problems().size(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("shardmap move start"), refusal.getMessage());
        assertEquals(
                VirtualShard.unassigned(2), store.load("items").virtualShards().get(2));
    }
}
