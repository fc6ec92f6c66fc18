package io.shardmap.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmap.Route;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.fanout.ServerOutcome;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.resolve.ShardMapCacheConfig;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** What an application can put into a router: pools, decorators, listeners; and servers that come and go while it runs. */
@Timeout(120)
class RouterHooksTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("left", "right");

    private TwoServers two;

    @BeforeEach
    void open() throws SQLException {
        two = new TwoServers(servers);
        two.store.addTable(TwoServers.MAP, new ShardedTable(null, "book", "check_digit"));
    }

    @AfterEach
    void close() {
        two.close();
    }

    private ShardRouter.Builder builder() {
        return ShardRouter.builder(two.store)
                .credentials(servers.get("left").user(), servers.get("left").password())
                .cache(ShardMapCacheConfig.defaults().withRefreshInterval(Duration.ofMillis(20)));
    }

    private static long books(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from book")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Another pool than HikariCP's, as far as a router can tell. */
    private static final class OtherPool extends PGSimpleDataSource implements AutoCloseable {
        private static final long serialVersionUID = 1;
        private static final AtomicInteger OPEN = new AtomicInteger();

        OtherPool() {
            OPEN.incrementAndGet();
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }

    @Test
    void poolsCanBeOfAnotherKind() throws Exception {
        try (ShardRouter router = builder()
                .poolFactory((server, settings) -> {
                    OtherPool pool = new OtherPool();
                    pool.setUrl(settings.getJdbcUrl());
                    pool.setUser(settings.getUsername());
                    pool.setPassword(settings.getPassword());
                    return pool;
                })
                .build()) {
            try (Connection left = router.openConnection(TwoServers.MAP, 6);
                    Connection right = router.openConnection(TwoServers.MAP, 7)) {
                assertEquals(0, books(left));
                assertEquals(0, books(right));
            }
            assertEquals(2, OtherPool.OPEN.get());
            try (FanOutResult rows = router.fanOut(TwoServers.MAP).query("select count(*) from book")) {
                assertTrue(rows.resultSet().next());
            }
            Server left = router.map(TwoServers.MAP).server("left");
            IllegalStateException refusal = assertThrows(
                    IllegalStateException.class, () -> router.pools().pool(left));
            assertTrue(refusal.getMessage().contains("server=left"), refusal.getMessage());
        }
        assertEquals(0, OtherPool.OPEN.get(), "closed with the router");
    }

    @Test
    void decoratorsStandInFrontOfEveryPoolTheLastOneOutside() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        try (ShardRouter router = builder()
                .decorate((server, pool) -> counting(pool, () -> calls.add("inner " + server.name())))
                .decorate((server, pool) -> counting(pool, () -> calls.add("outer " + server.name())))
                .build()) {
            router.transactions(TwoServers.MAP).execute(6, connection -> {
                assertEquals(0, books(connection));
                return null;
            });
            try (FanOutResult rows = router.fanOut(TwoServers.MAP).query("select count(*) from book")) {
                assertTrue(rows.resultSet().next());
            }
        }
        assertEquals(List.of("outer left", "inner left"), calls.subList(0, 2));
        assertTrue(calls.contains("outer right"), calls.toString());
    }

    private static DataSource counting(DataSource pool, Runnable call) {
        return (DataSource) java.lang.reflect.Proxy.newProxyInstance(
                RouterHooksTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                    call.run();
                    return method.invoke(pool, arguments);
                });
    }

    private static final class Recorder implements RouterListener {
        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void asked(long nanos, @Nullable RuntimeException failure) {
            events.add("asked " + (failure == null));
        }

        @Override
        public void acquired(Server server, long nanos, @Nullable SQLException failure) {
            events.add("acquired " + server.name() + " " + (failure == null));
        }

        @Override
        public void resolved(String map, Resolution resolution, long nanos) {
            events.add("resolved " + resolution);
        }

        @Override
        public void refused(Route route, Refusal refusal) {
            events.add("refused " + route.server().name() + " " + refusal);
        }

        @Override
        public void keyMissing(String map) {
            events.add("keyMissing " + map);
        }

        @Override
        public void started(String map) {
            events.add("started " + map);
        }

        @Override
        public void ended(String map, Outcome outcome, long nanos, long rows, List<ServerOutcome> each) {
            events.add("ended " + outcome + " " + rows + " of " + each.size());
        }

        List<String> take() {
            List<String> taken =
                    events.stream().filter(event -> !event.startsWith("asked")).toList();
            events.clear();
            return taken;
        }
    }

    @Test
    void listenersAreToldOfRoutesRefusalsAndQueries() throws Exception {
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        ShardMapCacheConfig slow = ShardMapCacheConfig.defaults().withRefreshInterval(Duration.ofHours(1));
        try (ShardRouter router =
                builder().cache(slow).listener(first).listener(second).build()) {
            try (Connection left = router.openConnection(TwoServers.MAP, 6)) {
                assertEquals(0, books(left));
            }
            assertTrue(first.events.contains("asked true"), first.events.toString());
            assertEquals(List.of("resolved MISS", "resolved HIT", "acquired left true"), first.take());
            assertEquals(3, second.take().size());

            two.moveEmpty(6, "left", "right", 2);
            try (Connection moved = router.openConnection(TwoServers.MAP, 6)) {
                assertEquals(0, books(moved));
            }
            assertEquals(
                    List.of(
                            "resolved HIT",
                            "acquired left true",
                            "refused left STALE",
                            "resolved STALE",
                            "acquired right true"),
                    first.take());

            assertThrows(SQLException.class, () -> router.openConnection(TwoServers.MAP, 99));
            assertThrows(
                    SQLException.class, () -> router.dataSource(TwoServers.MAP).getConnection());
            assertEquals(List.of("resolved ERROR", "keyMissing books"), first.take());

            two.sql("left", "insert into book values (1, 2), (2, 4)");
            try (FanOutResult result = router.fanOut(TwoServers.MAP).query("select id from book")) {
                while (result.resultSet().next()) {
                    assertEquals("started books", first.events.get(0));
                }
            }
            List<String> fanOut = first.take();
            assertEquals("ended SUCCESS 2 of 2", fanOut.get(fanOut.size() - 1));
            assertEquals(
                    1,
                    fanOut.stream().filter(event -> event.startsWith("ended")).count());
            assertThrows(SQLException.class, () -> router.fanOut(TwoServers.MAP).query("select nothing from book"));
            List<String> failed = first.take();
            assertEquals("ended ERROR 0 of 0", failed.get(failed.size() - 1));
        }
    }

    @Test
    void aServerAddedAtRunTimeIsUsedAndOneThatLeavesHasItsPoolDrained() throws Exception {
        try (ShardRouter router = builder().build()) {
            try (Connection left = router.openConnection(TwoServers.MAP, 6)) {
                assertEquals(0, books(left));
            }
            // A second name for the left database is a server of its own to a router.
            two.store.putServer(new Server("third", servers.get("left").jdbcUrl()));
            two.place(6, "third", 1);
            Await.until(() ->
                    router.resolver(TwoServers.MAP).resolve(6).server().name().equals("third"));
            Connection busy = router.openConnection(TwoServers.MAP, 6);
            busy.setAutoCommit(false);
            assertEquals(0, books(busy));
            Server third = router.map(TwoServers.MAP).server("third");
            HikariDataSource pool = router.pools().pool(third);

            two.place(6, "left", 1);
            two.store.removeServer("third");
            Await.until(() -> !router.pools().open().contains(third));

            assertFalse(pool.isClosed(), "a connection is in use");
            assertEquals(0, books(busy), "and its transaction goes on");
            busy.commit();
            busy.close();
            Await.until(pool::isClosed);
            try (Connection left = router.openConnection(TwoServers.MAP, 6)) {
                assertEquals(0, books(left), "the key is on the left again");
            }
            assertEquals(
                    List.of("left"),
                    router.pools().open().stream().map(Server::name).toList());
        }
    }

    @Test
    void aServerWhoseUrlChangesBeforeTheFirstRefreshGetsANewPoolAndTheOldOneIsClosed() throws Exception {
        ShardMapCacheConfig slow = ShardMapCacheConfig.defaults().withRefreshInterval(Duration.ofSeconds(1));
        try (ShardRouter router = builder().cache(slow).build()) {
            try (Connection left = router.openConnection(TwoServers.MAP, 6)) {
                assertEquals(0, books(left));
            }
            Server before = router.map(TwoServers.MAP).server("left");
            HikariDataSource old = router.pools().pool(before);
            String url = servers.get("left").jdbcUrl();
            two.store.putServer(new Server("left", url + (url.contains("?") ? "&" : "?") + "ApplicationName=moved"));
            two.store.place(
                    TwoServers.MAP,
                    two.store.load(TwoServers.MAP).virtualShards().get(1),
                    new VirtualShard(1, "right", 1, VirtualShard.State.ASSIGNED));
            Await.until(old::isClosed);
            try (Connection left = router.openConnection(TwoServers.MAP, 6);
                    Statement statement = left.createStatement();
                    ResultSet row = statement.executeQuery("select current_setting('application_name')")) {
                assertTrue(row.next());
                assertEquals("moved", row.getString(1));
            }
        }
    }
}
