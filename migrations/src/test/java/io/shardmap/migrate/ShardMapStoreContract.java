package io.shardmap.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.StoreUnavailableException;
import io.shardmap.UnknownServerException;
import io.shardmap.UnknownShardMapException;
import io.shardmap.UnsupportedShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.VirtualShard.State;
import io.shardmap.key.KeyType;
import io.shardmap.store.AuditEntry;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a shard-map database must do, whichever database it is. */
@Timeout(60)
abstract class ShardMapStoreContract {
    private static final ShardMapDefinition BOOKS =
            new ShardMapDefinition("books", KeyType.STRING, new Strategy.Lookup(new KeyFunction.IsbnCheckDigit()));
    private static final Server S1 = new Server("s1", "jdbc:postgresql://one/db");
    private static final Server S2 = new Server("s2", null, "eu");

    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private DataSource database;
    private JdbcShardMapStore store;

    abstract TestDatabases databases();

    @BeforeEach
    void createCatalogue() throws SQLException {
        database = databases().withCatalogue();
        store = new JdbcShardMapStore(database, "ana");
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void aNewMapHasGenerationOneAndUnassignedVirtualShards() {
        ShardMap created = store.createMap(BOOKS);

        ShardMap loaded = store.load("books");
        assertEquals(1, loaded.generation());
        assertEquals(11, loaded.virtualShards().size());
        assertEquals(VirtualShard.unassigned(10), loaded.virtualShards().get(10));
        assertEquals(created.number(), loaded.number());
        assertEquals(BOOKS.strategy(), loaded.strategy());
        assertEquals(KeyType.STRING, loaded.keyType());
        assertEquals(List.of("books"), store.mapNames());
        assertEquals(Map.of("books", 1L), store.generations());
    }

    @Test
    void everyKeyFunctionIsReadAsItWasWritten() {
        List<KeyFunction> functions = List.of(new KeyFunction.Identity(3), new KeyFunction.Modulo(2_500));
        for (KeyFunction function : functions) {
            String name = function.functionName();
            store.createMap(new ShardMapDefinition(name, KeyType.LONG, new Strategy.Lookup(function)));

            ShardMap loaded = store.load(name);
            assertEquals(new Strategy.Lookup(function), loaded.strategy());
            assertEquals(function.virtualShards(), loaded.virtualShards().size());
        }
        assertNotEqualNumbers();
    }

    private void assertNotEqualNumbers() {
        List<String> names = store.mapNames();
        assertFalse(
                store.load(names.get(0)).number() == store.load(names.get(1)).number());
    }

    @Test
    void aTakenMapNameIsRefusedAndUsesNoNumber() {
        store.createMap(BOOKS);

        ShardMapException refusal = assertThrows(ShardMapException.class, () -> store.createMap(BOOKS));
        assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        ShardMap next = store.createMap(new ShardMapDefinition("next", BOOKS.keyType(), BOOKS.strategy()));
        assertEquals(store.load("books").number() + 1, next.number());
    }

    @Test
    void oneOfManyThreadsThatCreateAMapWins() throws Exception {
        List<Boolean> won = allAtOnce(8, i -> {
            try {
                store.createMap(BOOKS);
                return true;
            } catch (ShardMapException refusal) {
                assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code(), refusal.getMessage());
                return false;
            }
        });

        assertEquals(1, won.stream().filter(w -> w).count());
    }

    @Test
    void strategiesWithoutStorageAreRefusedByName() {
        ShardMapDefinition directory = new ShardMapDefinition("tenants", KeyType.LONG, new Strategy.Directory());

        assertTrue(assertThrows(UnsupportedShardMapException.class, () -> store.createMap(directory))
                .getMessage()
                .contains("directory"));
    }

    @Test
    void placingRaisesTheGenerationAndRoutes() {
        booksOnServers();

        long before = store.load("books").generation();
        long after = store.place("books", VirtualShard.unassigned(6), placed(6, "s1", 1));

        ShardMap loaded = store.load("books");
        assertEquals(before + 1, after);
        assertEquals(after, loaded.generation());
        assertEquals(placed(6, "s1", 1), loaded.virtualShards().get(6));
        assertEquals(S1, loaded.route("978-8-1130-1024-6").server());
    }

    @Test
    void theSecondOfTwoClientsWithTheSameExpectationIsRefusedAndChangesNothing() {
        booksOnServers();
        store.place("books", VirtualShard.unassigned(6), placed(6, "s1", 1));
        long generation = store.load("books").generation();
        int audited = store.audit(100).size();

        ConcurrentChangeException refusal = assertThrows(
                ConcurrentChangeException.class,
                () -> store.place("books", VirtualShard.unassigned(6), placed(6, "s2", 1)));

        assertTrue(refusal.getMessage().contains("found=ASSIGNED on s1 at epoch 1"), refusal.getMessage());
        assertEquals(generation, store.load("books").generation());
        assertEquals("s1", store.load("books").virtualShards().get(6).server());
        assertEquals(audited, store.audit(100).size());
    }

    @Test
    void everyPartOfTheExpectationIsCompared() {
        booksOnServers();
        store.place("books", VirtualShard.unassigned(0), placed(0, "s1", 3));

        List<VirtualShard> wrong = List.of(
                VirtualShard.unassigned(0),
                placed(0, "s2", 3),
                placed(0, "s1", 2),
                new VirtualShard(0, "s1", 3, State.ASSIGNING));
        for (VirtualShard expected : wrong) {
            assertThrows(
                    ConcurrentChangeException.class,
                    () -> store.place("books", expected, placed(0, "s2", 9)),
                    expected.toString());
        }
        assertEquals(placed(0, "s1", 3), store.load("books").virtualShards().get(0));
    }

    @Test
    void anOwnerNeverChangesWithoutAHigherEpoch() {
        booksOnServers();
        store.place("books", VirtualShard.unassigned(0), placed(0, "s1", 3));

        for (VirtualShard next : List.of(placed(0, "s2", 3), placed(0, "s1", 2), placed(1, "s1", 4))) {
            ShardMapException refusal =
                    assertThrows(ShardMapException.class, () -> store.place("books", placed(0, "s1", 3), next));
            assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        }
    }

    @Test
    void unknownMapsServersAndVirtualShardsAreRefused() {
        booksOnServers();

        assertThrows(UnknownShardMapException.class, () -> store.load("nosuch"));
        assertThrows(UnknownShardMapException.class, () -> store.load("Books"));
        assertThrows(
                UnknownShardMapException.class,
                () -> store.place("nosuch", VirtualShard.unassigned(0), placed(0, "s1", 1)));
        assertThrows(
                UnknownServerException.class,
                () -> store.place("books", VirtualShard.unassigned(0), placed(0, "s9", 1)));
        assertEquals(
                ErrorCode.INVALID_DEFINITION,
                assertThrows(
                                ShardMapException.class,
                                () -> store.place("books", VirtualShard.unassigned(11), placed(11, "s1", 1)))
                        .code());
    }

    @Test
    void eightThreadsPlacingDifferentVirtualShardsAllSucceed() throws Exception {
        booksOnServers();
        long before = store.load("books").generation();

        List<Long> generations =
                allAtOnce(8, i -> store.place("books", VirtualShard.unassigned(i), placed(i, "s1", 1)));

        assertEquals(8, generations.stream().distinct().count());
        assertEquals(before + 8, store.load("books").generation());
        assertEquals(8, store.load("books").placements().get("s1").size());
    }

    @Test
    void oneOfEightThreadsPlacingTheSameVirtualShardWins() throws Exception {
        booksOnServers();
        long before = store.load("books").generation();

        List<Boolean> won = allAtOnce(8, i -> {
            try {
                store.place("books", VirtualShard.unassigned(5), placed(5, i % 2 == 0 ? "s1" : "s2", 1));
                return true;
            } catch (ConcurrentChangeException refusal) {
                return false;
            }
        });

        assertEquals(1, won.stream().filter(w -> w).count());
        assertEquals(before + 1, store.load("books").generation());
    }

    @Test
    void aLoadNeverSeesHalfOfAChange() throws Exception {
        booksOnServers();
        store.place("books", VirtualShard.unassigned(0), placed(0, "s1", 1));
        store.place("books", VirtualShard.unassigned(10), placed(10, "s1", 1));
        long generation = store.load("books").generation();
        AtomicBoolean stop = new AtomicBoolean();
        Future<?> writer = threads.submit(() -> {
            for (int epoch = 1; epoch < 2_000 && !stop.get(); epoch++) {
                moveTogether(epoch);
            }
        });

        for (int i = 0; i < 100; i++) {
            ShardMap seen = store.load("books");
            VirtualShard first = seen.virtualShards().get(0);
            VirtualShard last = seen.virtualShards().get(10);
            assertEquals(first.server(), last.server());
            assertEquals(first.epoch(), last.epoch());
            assertEquals(
                    2 * (first.epoch() - 1), seen.generation() - generation, "generation belongs to the placements");
        }
        stop.set(true);
        writer.get();
    }

    private void moveTogether(int epoch) {
        String from = epoch % 2 == 1 ? "s1" : "s2";
        String to = epoch % 2 == 1 ? "s2" : "s1";
        store.change(transaction -> {
            transaction.place("books", placed(0, from, epoch), placed(0, to, epoch + 1));
            return transaction.place("books", placed(10, from, epoch), placed(10, to, epoch + 1));
        });
    }

    @Test
    void aBodyThatThrowsLeavesNothingBehind() {
        booksOnServers();
        List<AuditEntry> audited = store.audit(100);

        IllegalStateException thrown = assertThrows(
                IllegalStateException.class,
                () -> store.change(transaction -> {
                    transaction.place("books", VirtualShard.unassigned(0), placed(0, "s1", 1));
                    throw new IllegalStateException("the mover died here");
                }));

        assertEquals("the mover died here", thrown.getMessage());
        assertEquals(
                VirtualShard.unassigned(0), store.load("books").virtualShards().get(0));
        assertEquals(audited, store.audit(100));
    }

    @Test
    void anSqlErrorInABodyIsReportedAsTheStores() {
        StoreUnavailableException failure = assertThrows(
                StoreUnavailableException.class,
                () -> store.change(transaction -> {
                    try (Statement statement = transaction.connection().createStatement()) {
                        return statement.execute("select no_such_column");
                    }
                }));
        assertNotNull(failure.getCause());
    }

    @Test
    void aLockedVirtualShardWaitsForItsTransaction() throws Exception {
        booksOnServers();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Long> holder = threads.submit(() -> store.change(transaction -> {
            VirtualShard stored = transaction.lock("books", 4);
            locked.countDown();
            await(release);
            return transaction.place("books", stored, placed(4, "s1", 1));
        }));
        await(locked);
        Future<Boolean> other = threads.submit(() -> {
            try {
                store.place("books", VirtualShard.unassigned(4), placed(4, "s2", 1));
                return true;
            } catch (ConcurrentChangeException refusal) {
                return false;
            }
        });
        assertFalse(other.isDone());
        release.countDown();

        holder.get();
        assertFalse(other.get());
        assertEquals("s1", store.load("books").virtualShards().get(4).server());
    }

    @Test
    void serversAreAddedChangedAndListedByName() {
        store.createMap(BOOKS);
        store.putServer(S2);
        store.putServer(S1);
        long before = store.load("books").generation();

        store.putServer(new Server("s2", "jdbc:postgresql://two/db", "us"));

        assertEquals(List.of(S1, new Server("s2", "jdbc:postgresql://two/db", "us")), store.servers());
        ShardMap loaded = store.load("books");
        assertTrue(loaded.generation() > before, "clients must hear of the new URL");
        assertEquals("us", loaded.server("s2").region());
    }

    @Test
    void puttingAServerTwiceChangesNothingTheSecondTime() {
        booksOnServers();
        long generation = store.load("books").generation();
        int audited = store.audit(100).size();

        store.putServer(S1);

        assertEquals(generation, store.load("books").generation());
        assertEquals(audited, store.audit(100).size());
    }

    @Test
    void clientsThatPutOneServerAtTheSameTimeLeaveOneOfTheirVersions() throws Exception {
        List<Boolean> won = allAtOnce(8, i -> {
            try {
                store.putServer(new Server("s1", "jdbc:postgresql://host" + i + "/db"));
                return true;
            } catch (ConcurrentChangeException refusal) {
                return false;
            }
        });

        long winners = won.stream().filter(w -> w).count();
        assertTrue(winners >= 1);
        assertEquals(1, store.servers().size());
        List<AuditEntry> changes = store.audit(100);
        assertEquals(winners, changes.size());
        for (int i = 0; i + 1 < changes.size(); i++) {
            assertEquals(changes.get(i + 1).after(), changes.get(i).before(), "no change is lost unseen");
        }
    }

    @Test
    void serversPutByManyThreadsDoNotDeadlockWithPlacements() throws Exception {
        booksOnServers();
        store.createMap(new ShardMapDefinition("other", BOOKS.keyType(), BOOKS.strategy()));
        long before = store.load("books").generation();

        allAtOnce(8, i -> {
            if (i % 2 == 0) {
                store.putServer(new Server("extra" + i, null));
            } else {
                store.place("books", VirtualShard.unassigned(i), placed(i, "s1", 1));
            }
            return i;
        });

        assertEquals(6, store.servers().size());
        assertEquals(before + 4 + 4, store.load("books").generation());
    }

    @Test
    void tablesAreRegisteredOnce() {
        store.createMap(BOOKS);
        ShardedTable plain = new ShardedTable(null, "book", "shard");
        ShardedTable qualified = new ShardedTable("shop", "book", "Shard \"x\"");

        assertEquals(2, store.addTable("books", plain));
        assertEquals(3, store.addTable("books", qualified));

        assertEquals(List.of(plain, qualified), store.load("books").tables());
        ShardMapException refusal = assertThrows(
                ShardMapException.class, () -> store.addTable("books", new ShardedTable(null, "book", "other")));
        assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        assertEquals(3, store.load("books").generation());
    }

    @Test
    void aReferenceTableIsPartOfTheMapAndNeverShardedAsWell() {
        store.createMap(BOOKS);
        ReferenceTable plain = new ReferenceTable(null, "language");
        ReferenceTable qualified = new ReferenceTable("shop", "Language \"x\"");
        store.addTable("books", new ShardedTable(null, "book", "shard"));

        assertEquals(3, store.addReferenceTable("books", plain));
        assertEquals(4, store.addReferenceTable("books", qualified));

        assertEquals(List.of(plain, qualified), store.load("books").referenceTables());
        assertEquals(1, store.load("books").tables().size());
        assertEquals(
                "add table books/shop.Language \"x\"", store.audit(1).get(0).what());
        assertEquals("reference table", store.audit(1).get(0).after());
        for (String taken : List.of("language", "book")) {
            ShardMapException refusal = assertThrows(
                    ShardMapException.class, () -> store.addReferenceTable("books", new ReferenceTable(null, taken)));
            assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        }
        ShardMapException refusal = assertThrows(
                ShardMapException.class, () -> store.addTable("books", new ShardedTable(null, "language", "shard")));
        assertTrue(refusal.getMessage().contains("table=language, kind=reference"), refusal.getMessage());
        assertEquals(4, store.load("books").generation());
        assertThrows(UnknownShardMapException.class, () -> store.addReferenceTable("none", plain));
    }

    @Test
    void everyChangeIsAuditedWithItsBeforeAndAfter() {
        booksOnServers();
        store.place("books", VirtualShard.unassigned(6), placed(6, "s1", 1));
        store.addTable("books", new ShardedTable("shop", "book", "shard"));

        List<AuditEntry> entries = store.audit(3);
        assertEquals(3, entries.size());
        assertEquals("add table books/shop.book", entries.get(0).what());
        AuditEntry place = entries.get(1);
        assertEquals("place books/6", place.what());
        assertEquals("UNASSIGNED at epoch 0", place.before());
        assertEquals("ASSIGNED on s1 at epoch 1", place.after());
        assertTrue(place.who().startsWith("ana as "), place.who());
        assertNotNull(place.at());
        assertEquals("put server s2", entries.get(2).what());
        assertNull(entries.get(2).before());
    }

    @Test
    void whatThisClientDoesNotKnowIsRefused() throws SQLException {
        Map<String, String> newer = Map.of(
                "\"format_version\" = 2", "format version 2",
                "\"function_version\" = 2", "version 2",
                "\"function_name\" = 'rendezvous'", "rendezvous",
                "\"function_parameter\" = '12'", "parameter 12",
                "\"strategy\" = 'fractal'", "strategy fractal",
                "\"key_type\" = 'COLOUR'", "key type COLOUR");
        int number = 0;
        for (Map.Entry<String, String> change : newer.entrySet()) {
            String map = "newer" + number++;
            store.createMap(new ShardMapDefinition(map, BOOKS.keyType(), BOOKS.strategy()));
            execute("update \"shardmap_catalog\".\"shard_map\" set " + change.getKey() + " where \"name\" = '" + map
                    + "'");

            UnsupportedShardMapException refusal =
                    assertThrows(UnsupportedShardMapException.class, () -> store.load(map));
            assertTrue(refusal.getMessage().contains(change.getValue()), refusal.getMessage());
        }
    }

    @Test
    void aDeletedMapIsUnknown() throws SQLException {
        store.createMap(BOOKS);
        execute("delete from \"shardmap_catalog\".\"virtual_shard\"");
        execute("delete from \"shardmap_catalog\".\"shard_map\"");

        assertThrows(UnknownShardMapException.class, () -> store.load("books"));
        assertEquals(Map.of(), store.generations());
    }

    @Test
    void readOnlyCredentialsSufficeToReadAndChangeNothing() throws SQLException {
        booksOnServers();
        store.place("books", VirtualShard.unassigned(6), placed(6, "s1", 1));
        JdbcShardMapStore reader = new JdbcShardMapStore(databases().asReader(database), "bob");

        assertEquals("s1", reader.load("books").virtualShards().get(6).server());
        assertEquals(store.generations(), reader.generations());
        assertEquals(2, reader.servers().size());
        assertThrows(
                StoreUnavailableException.class,
                () -> reader.place("books", VirtualShard.unassigned(7), placed(7, "s1", 1)));
    }

    @Test
    void aDatabaseWithoutCatalogueSaysHowToMakeOne() throws SQLException {
        JdbcShardMapStore empty = new JdbcShardMapStore(databases().empty());

        List<Callable<Object>> uses =
                List.of(() -> empty.load("books"), empty::generations, empty::servers, () -> empty.createMap(BOOKS));
        for (Callable<Object> use : uses) {
            StoreUnavailableException failure = assertThrows(StoreUnavailableException.class, use::call);
            assertTrue(failure.getMessage().contains("shardmap init"), failure.getMessage());
        }
    }

    @Test
    void aDatabaseThatIsDownIsReportedAsUnavailable() {
        JdbcShardMapStore down = new JdbcShardMapStore(databases().unreachable());

        assertEquals(
                ErrorCode.STORE_UNAVAILABLE,
                assertThrows(StoreUnavailableException.class, down::generations).code());
        assertThrows(StoreUnavailableException.class, () -> down.putServer(S1));
    }

    @Test
    void connectionsGoBackToThePoolAsTheyCame() throws SQLException {
        booksOnServers();
        for (boolean autoCommit : List.of(true, false)) {
            try (Connection connection = database.getConnection()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setAutoCommit(autoCommit);
                JdbcShardMapStore pooled = new JdbcShardMapStore(new OneConnectionPool(connection), "ana");

                pooled.load("books");
                pooled.generations();
                pooled.putServer(new Server("s3", null, "auto" + autoCommit));
                assertThrows(UnknownShardMapException.class, () -> pooled.load("nosuch"));
                assertThrows(
                        UnknownServerException.class,
                        () -> pooled.place("books", VirtualShard.unassigned(0), placed(0, "s9", 1)));

                assertEquals(autoCommit, connection.getAutoCommit());
                assertFalse(connection.isReadOnly());
                assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
            }
        }
    }

    @Test
    void aVirtualShardHasAtMostOneActiveMove() throws SQLException {
        booksOnServers();
        String move = "insert into \"shardmap_catalog\".\"move\" (\"map\", \"virtual_shard\", \"source\", \"target\","
                + " \"epoch\", \"state\", \"active\", \"method\") values ('books', 1, 's1', 's2', 1, ";
        execute(move + "'DONE', null, 'online')");
        execute(move + "'ABORTED', null, 'online')");
        execute(move + "'PLANNED', true, 'online')");

        assertThrows(SQLException.class, () -> execute(move + "'COPYING', true, 'online')"));
        assertThrows(SQLException.class, () -> execute(move + "'COPYING', null, 'online')"), "is active");
        assertThrows(SQLException.class, () -> execute(move + "'COPYING', false, 'online')"), "true or null");
        assertThrows(SQLException.class, () -> execute(move + "'DONE', true, 'online')"), "is over");
    }

    private void booksOnServers() {
        store.createMap(BOOKS);
        store.putServer(S1);
        store.putServer(S2);
    }

    static VirtualShard placed(int id, String server, long epoch) {
        return new VirtualShard(id, server, epoch, State.ASSIGNED);
    }

    private void execute(String sql) throws SQLException {
        TestDatabases.execute(database, sql);
    }

    @FunctionalInterface
    private interface Task<T> {
        T run(int thread) throws Exception;
    }

    private <T> List<T> allAtOnce(int count, Task<T> task) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int thread = i;
            running.add(threads.submit(() -> {
                await(start);
                return task.run(thread);
            }));
        }
        start.countDown();
        List<T> results = new ArrayList<>();
        for (Future<T> one : running) {
            results.add(one.get());
        }
        return results;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
