package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a drain decides and goes on with; the online method on PostgreSQL is drained by the command's tests. */
class ServerDrainTest {
    private final ServerPools pools =
            new ServerPools(null, server -> new Credentials("sa", ""), config -> config.setMaximumPoolSize(30));
    private JdbcShardMapStore store;

    @BeforeEach
    void build() throws SQLException {
        JdbcDataSource map = new JdbcDataSource();
        map.setURL(memory());
        map.setUser("sa");
        ShardMapSchema.migrate(map);
        store = new JdbcShardMapStore(map, "test");
        for (String name : List.of("a", "b", "c")) {
            Server server = new Server(name, memory());
            new ServerRegistration(store, pools).add(server);
            on(server, "create table \"item\" (\"vs\" int not null, \"id\" int, primary key (\"vs\", \"id\"))");
        }
        store.createMap(
                new ShardMapDefinition("items", KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(9))));
        new TableRegistration(store, pools).add("items", new ShardedTable(null, "item", "vs"), true);
        ShardAssignment assignment = new ShardAssignment(store, pools);
        assignment.assign("items", IntStream.range(0, 6).boxed().toList(), "a");
        assignment.assign("items", List.of(6, 7), "b");
        assignment.assign("items", List.of(8), "c");
        on(server("a"), "insert into \"item\" select v.x, i.x from system_range(0, 5) v, system_range(1, 30) i");
    }

    @AfterEach
    void close() {
        pools.close();
    }

    private static String memory() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    private Server server(String name) {
        return store.load("items").server(name);
    }

    private void on(Server server, String sql) throws SQLException {
        try (Connection connection = pools.open(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Moves moves() {
        return Moves.of(store, pools);
    }

    private ServerDrain drain() {
        return new ServerDrain(store, moves());
    }

    private Map<String, List<Integer>> placements() {
        return store.load("items").placements();
    }

    @Test
    void eachVirtualShardGoesToTheServerThatHasTheFewest() {
        assertEquals(
                List.of("c", "b", "c", "b", "c", "b"),
                drain().plan("a", List.of()).steps().stream()
                        .map(ServerDrain.Step::target)
                        .toList());
        assertEquals(
                List.of("b"),
                drain().plan("a", List.of("b")).steps().stream()
                        .map(ServerDrain.Step::target)
                        .distinct()
                        .toList());
    }

    @Test
    void aDrainThatWasKilledGoesOnAndEndsWithAnEmptyServer() {
        AtomicInteger switched = new AtomicInteger();
        Moves mortal = moves().withHooks(point -> {
            if (point == CrashPoint.AFTER_SWITCH && switched.incrementAndGet() == 3) {
                throw new AssertionError("killed");
            }
        });
        ServerDrain first = new ServerDrain(store, mortal);
        assertThrows(
                AssertionError.class,
                () -> first.run(first.plan("a", List.of()), MoveWorld.QUICK, null, 1),
                "the third of six moves dies where nobody is served");
        awaitLeases();

        ServerDrain second = drain();
        ServerDrain.Plan rest = second.plan("a", List.of());
        assertEquals(4, rest.steps().size(), rest::toString);
        assertNotNull(rest.steps().get(0).move(), "what was begun comes first");
        assertEquals(MoveMethod.PORTABLE, second.method(rest.steps().get(1), MoveWorld.QUICK, null));
        assertEquals(List.of(), second.problems(rest.steps().get(1), MoveWorld.QUICK, null));
        List<MoveQueue.Outcome> outcomes = second.run(rest, MoveWorld.QUICK, null, 2);

        assertTrue(outcomes.stream().allMatch(MoveQueue.Outcome::isDone), outcomes::toString);
        assertTrue(second.plan("a", List.of()).isDone());
        assertFalse(placements().containsKey("a"), () -> placements().toString());
        assertEquals(5, placements().get("b").size());
        assertEquals(4, placements().get("c").size());
    }

    private void awaitLeases() {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (moves().list().stream().anyMatch(move -> !move.state().isOver() && move.leaseLive())
                && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    @Test
    void noMoreMovesRunAtOnceThanAllowed() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Moves counted = moves().withHooks(point -> {
            if (point == CrashPoint.AFTER_LEASE) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
            } else if (point == CrashPoint.BEFORE_GRACE) {
                now.decrementAndGet();
            }
        });
        ServerDrain drain = new ServerDrain(store, counted);
        drain.run(drain.plan("a", List.of()), MoveWorld.QUICK, null, 2);
        assertEquals(2, most.get());
    }

    @Test
    void movesOfOthersCountToo() throws Exception {
        Death.Pause pause = new Death.Pause(CrashPoint.AFTER_COPY);
        MoveId other = moves().start("items", 7, "c", MoveWorld.QUICK);
        CompletableFuture<MoveStatus> running =
                CompletableFuture.supplyAsync(() -> moves().withHooks(pause).run(other));
        pause.awaitArrival();
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        MoveQueue.Task task = new MoveQueue.Task(
                "items/0",
                any -> {
                    begun.complete(true);
                    return any.start("items", 0, "b", MoveWorld.QUICK);
                },
                Moves::run);
        CompletableFuture<List<MoveQueue.Outcome>> queued =
                CompletableFuture.supplyAsync(() -> new MoveQueue(moves(), 1).run(List.of(task)));

        assertThrows(TimeoutException.class, () -> begun.get(1, TimeUnit.SECONDS));
        pause.letGo();

        assertEquals(MoveState.DONE, running.get().state());
        assertTrue(queued.get().get(0).isDone());
    }

    @Test
    void theTimeLeftIsReckonedFromTheRate() {
        MoveProgress half = new MoveProgress(100, 2_000, 50, 1_000, 500, null, Instant.EPOCH);
        assertEquals(Duration.ofSeconds(2), half.remaining());
        assertEquals(0.5, half.share());
        assertEquals(null, new MoveProgress(100, 2_000, 100, 2_000, 500, 0L, Instant.EPOCH).remaining());
        assertEquals(null, new MoveProgress(0, 0, 0, 0, 0, null, Instant.EPOCH).remaining());
    }

    @Test
    void aServerThatSomethingMovesToIsNotDrained() {
        moves().start("items", 8, "a", MoveWorld.QUICK);
        ServerDrain drain = drain();
        ServerDrain.Plan plan = drain.plan("a", List.of());
        ShardMapException refusal =
                assertThrows(ShardMapException.class, () -> drain.run(plan, MoveWorld.QUICK, null, 1));
        assertTrue(String.valueOf(refusal.getMessage()).contains("move=1"), refusal.getMessage());
    }

    @Test
    void whatCannotBeMovedDoesNotKeepTheOthers() throws SQLException {
        on(server("b"), "insert into \"item\" values (1, 99)");
        ServerDrain drain = drain();
        List<MoveQueue.Outcome> outcomes = drain.run(drain.plan("a", List.of("b")), MoveWorld.QUICK, null, 2);
        assertEquals(5, outcomes.stream().filter(MoveQueue.Outcome::isDone).count());
        assertEquals(List.of(1), placements().get("a"));
    }
}
