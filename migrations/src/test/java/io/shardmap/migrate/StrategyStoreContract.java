package io.shardmap.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.UnmappedKeyException;
import io.shardmap.UnsupportedShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.VirtualShard.State;
import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.strategy.Strategy.Hash;
import io.shardmap.strategy.Strategy.Hash.TokenSlice;
import io.shardmap.strategy.Strategy.Range;
import io.shardmap.strategy.Strategy.Range.Slice;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a shard-map database keeps maps that are split by range or by hash, whichever database it is. */
@Timeout(60)
abstract class StrategyStoreContract {
    private DataSource database;
    private JdbcShardMapStore store;

    abstract TestDatabases databases();

    @BeforeEach
    void createCatalogue() throws SQLException {
        database = databases().withCatalogue();
        store = new JdbcShardMapStore(database, "ana");
    }

    @Test
    void rangesWithGapsAndOpenEndsAreReadAsTheyWereWritten() {
        readAsWritten(
                KeyType.LONG, longs(1, null, Long.MIN_VALUE + 1), longs(2, -1, 0), longs(0, Long.MAX_VALUE, null));
        readAsWritten(KeyType.LONG, longs(0, Long.MIN_VALUE, Long.MAX_VALUE));
        readAsWritten(KeyType.LONG, longs(0, null, null));
        readAsWritten(KeyType.INTEGER, longs(0, Integer.MIN_VALUE, 6), longs(1, 6, Integer.MAX_VALUE));
        readAsWritten(
                KeyType.UUID,
                Slice.of(KeyType.UUID, 0, null, new UUID(0, 1)),
                Slice.of(KeyType.UUID, 1, new UUID(Long.MIN_VALUE, 0), new UUID(-1, -1)));
    }

    @Test
    void textBoundsKeepEveryCharacter() {
        List<String> bounds = List.of(
                " ",
                " a",
                "'",
                "\"",
                "A",
                "\\",
                "\\N",
                "a",
                "a ",
                "a  ",
                "a\n",
                "e\u0301",
                "null",
                "\u00e9",
                "\uffff",
                "\ud83d\udcda");
        Range cut = Range.cutAt(
                KeyType.STRING,
                new TreeSet<>(keys(bounds)).stream().map(ShardKey::toObject).toList());

        readAsWritten(KeyType.STRING, cut);
        readAsWritten(KeyType.STRING, Slice.of(KeyType.STRING, 0, "", "a"));
        readAsWritten(KeyType.STRING, Range.cutAt(KeyType.STRING, List.of("x".repeat(Range.MAX_BOUND_LENGTH))));
        readAsWritten(
                KeyType.STRING,
                Range.cutAt(KeyType.STRING, List.of("\ud83d\udcda".repeat(Range.MAX_BOUND_LENGTH / 2))));
    }

    private static List<ShardKey> keys(List<String> texts) {
        return texts.stream().map(KeyType.STRING::canonical).toList();
    }

    @ParameterizedTest
    @EnumSource
    void hashesAreReadAsTheyWereWritten(KeyType type) {
        readAsWritten(type, Hash.even(1));
        readAsWritten(type, Hash.even(11));
        readAsWritten(
                type,
                new Hash(List.of(
                        new TokenSlice(2, Long.MIN_VALUE, Long.MIN_VALUE),
                        new TokenSlice(0, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1),
                        new TokenSlice(1, Long.MAX_VALUE, Long.MAX_VALUE))));
    }

    @Test
    void aLoadedMapRoutesEveryKeyAsTheOneThatWasWritten() {
        long seed = 31;
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            TreeSet<Long> cuts = new TreeSet<>();
            while (cuts.size() < 20) {
                cuts.add(random.nextLong() >> random.nextInt(Long.SIZE));
            }
            cuts.remove(Long.MIN_VALUE);
            ShardMap written = create(KeyType.LONG, Range.cutAt(KeyType.LONG, List.copyOf(cuts)));
            ShardMap read = store.load(written.name());
            for (long cut : cuts) {
                for (long key : new long[] {cut - 1, cut, cut + 1, random.nextLong()}) {
                    assertEquals(
                            written.virtualShardOf(key),
                            read.virtualShardOf(key),
                            () -> "seed=" + seed + ", key=" + key);
                }
            }
        }
    }

    @Test
    void theAlgorithmOfTheTokensIsStoredWithTheMapAndTheSlicesWithTheVirtualShards() throws SQLException {
        create(KeyType.LONG, Hash.even(2));
        create(KeyType.LONG, new Range(List.of(longs(0, 5, null), longs(1, null, -5))));

        assertEquals(
                List.of("hash|cassandra-murmur3|null|1", "range|null|null|null"),
                rows(
                        "\"strategy\", \"function_name\", \"function_parameter\", \"function_version\"",
                        "shard_map",
                        "\"number\""));
        assertEquals(
                List.of("-9223372036854775808|-1", "0|9223372036854775807", "5|null", "null|-5"),
                rows("\"lower_bound\", \"upper_bound\"", "virtual_shard", "\"map\", \"id\""));
    }

    @Test
    void aPlacementKeepsTheSlice() {
        store.putServer(new Server("s1", null));
        Range range = new Range(List.of(longs(1, null, 0), longs(0, 100, null)));
        String map = create(KeyType.LONG, range).name();
        assertThrows(UnmappedKeyException.class, () -> store.load(map).route(-1), "on no server yet");

        store.place(map, VirtualShard.unassigned(1), new VirtualShard(1, "s1", 1, State.ASSIGNED));

        ShardMap loaded = store.load(map);
        assertEquals(range, loaded.strategy());
        assertEquals("s1", loaded.route(-1).server().name());
        assertThrows(UnmappedKeyException.class, () -> loaded.route(50), "in a gap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"function_version\" = 2",
                "\"function_version\" = 0",
                "\"function_name\" = 'murmur3'",
                "\"function_parameter\" = 'seed 1'",
                "\"function_name\" = null, \"function_version\" = null",
                "\"strategy\" = 'range'",
                "\"strategy\" = 'lookup'",
                "\"strategy\" = 'rendezvous'",
                "\"format_version\" = 2"
            })
    void tokensOfAnotherAlgorithmOrVersionAreRefused(String change) throws SQLException {
        String map = create(KeyType.LONG, Hash.even(3)).name();
        change("shard_map", change);

        assertThrows(UnsupportedShardMapException.class, () -> store.load(map));
    }

    @Test
    void aRangeInAnOrderThatThisVersionDoesNotKnowIsRefused() throws SQLException {
        String map = create(KeyType.STRING, Range.cutAt(KeyType.STRING, List.of("m")))
                .name();
        change("shard_map", "\"function_name\" = 'collation', \"function_parameter\" = 'de', \"function_version\" = 1");

        assertTrue(assertThrows(UnsupportedShardMapException.class, () -> store.load(map))
                .getMessage()
                .contains("range by collation"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"lower_bound\" = 'ten' where \"id\" = 1",
                "\"lower_bound\" = '9' where \"id\" = 1",
                "\"lower_bound\" = null where \"id\" = 1",
                "\"upper_bound\" = '10' where \"id\" = 1",
                "\"upper_bound\" = '9223372036854775808' where \"id\" = 1",
                "\"upper_bound\" = null where \"id\" = 0",
                "\"lower_bound\" = null, \"upper_bound\" = '-9223372036854775808' where \"id\" = 0"
            })
    void aStoredRangeThatContradictsItselfIsRefused(String change) throws SQLException {
        String map = create(KeyType.LONG, new Range(List.of(longs(0, null, 10), longs(1, 10, 20))))
                .name();
        change("virtual_shard", change);

        refused(map);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"lower_bound\" = '1' where \"id\" = 1",
                "\"lower_bound\" = '-1' where \"id\" = 1",
                "\"lower_bound\" = null where \"id\" = 0",
                "\"upper_bound\" = null where \"id\" = 1",
                "\"upper_bound\" = 'x' where \"id\" = 1"
            })
    void aStoredRingWithGapOverlapOrUnreadableTokenIsRefused(String change) throws SQLException {
        String map = create(KeyType.LONG, Hash.even(2)).name();
        change("virtual_shard", change);

        refused(map);
    }

    private void refused(String map) {
        assertEquals(
                ErrorCode.INVALID_DEFINITION,
                assertThrows(ShardMapException.class, () -> store.load(map)).code());
        String other = create(KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(1)))
                .name();
        assertEquals(1, store.load(other).virtualShards().size(), "other maps are not disturbed");
    }

    @Test
    void theLargestMapsAreStoredLoadedAndRouted() {
        int count = Strategy.MAX_VIRTUAL_SHARDS;
        List<Long> cuts = LongStream.range(1, count).mapToObj(i -> i * 1_000).toList();
        for (Strategy strategy : List.of(Hash.even(count), Range.cutAt(KeyType.LONG, cuts))) {
            String name = create(KeyType.LONG, strategy).name();

            ShardMap loaded = store.load(name);

            assertEquals(count, loaded.virtualShards().size());
            assertEquals(strategy, loaded.strategy());
            if (strategy instanceof Range) {
                assertEquals(0, loaded.virtualShardOf(-1L));
                assertEquals(12_345, loaded.virtualShardOf(12_345_678));
                assertEquals(count - 1, loaded.virtualShardOf(Long.MAX_VALUE));
            }
        }
    }

    private void readAsWritten(KeyType type, Slice... slices) {
        readAsWritten(type, new Range(List.of(slices)));
    }

    private void readAsWritten(KeyType type, Strategy strategy) {
        ShardMap created = create(type, strategy);
        ShardMap loaded = store.load(created.name());

        assertEquals(strategy, created.strategy());
        assertEquals(strategy, loaded.strategy());
        assertEquals(type, loaded.keyType());
        assertEquals(created.virtualShards(), loaded.virtualShards());
    }

    private ShardMap create(KeyType type, Strategy strategy) {
        return store.createMap(new ShardMapDefinition("m" + store.mapNames().size(), type, strategy));
    }

    private static Slice longs(int virtualShard, Number lower, Number upper) {
        return Slice.of(KeyType.LONG, virtualShard, lower, upper);
    }

    private void change(String table, String assignments) throws SQLException {
        TestDatabases.execute(database, "update \"shardmap_catalog\".\"" + table + "\" set " + assignments);
    }

    private List<String> rows(String columns, String table, String order) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select " + columns + " from \"shardmap_catalog\".\"" + table + "\" order by " + order)) {
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(row.getString(i));
                }
                rows.add(String.join("|", values));
            }
        }
        return rows;
    }
}
