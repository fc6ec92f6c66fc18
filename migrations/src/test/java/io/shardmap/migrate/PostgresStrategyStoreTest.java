package io.shardmap.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardmap.key.KeyType;
import io.shardmap.key.ShardKey;
import io.shardmap.testkit.PostgresServers;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on PostgreSQL, and that slices are cut in PostgreSQL's own order. */
class PostgresStrategyStoreTest extends StrategyStoreContract {
    private static final long SEED = 99;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("shardmap");

    @Override
    TestDatabases databases() {
        return new TestDatabases.Postgres(servers.get(0));
    }

    @Test
    void textHasTheOrderOfTheCollationC() throws SQLException {
        int[] from = {1, 'A', 'a', 0xe0, 0x7ff, 0xd7fe, 0xe000, 0xfffc, 0x10000, 0x1f4da, 0x10fffd};
        Random random = new Random(SEED);
        TreeSet<ShardKey> keys = new TreeSet<>();
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                text.appendCodePoint(from[random.nextInt(from.length)] + random.nextInt(2));
            }
            keys.add(KeyType.STRING.canonical(text.toString()));
        }

        assertOrder(keys, "text", "select k from unnest(?) k order by k collate \"C\"");
    }

    @Test
    void uuidsHaveTheOrderOfTheTypeUuid() throws SQLException {
        Random random = new Random(SEED);
        TreeSet<ShardKey> keys = new TreeSet<>();
        for (int i = 0; i < 5_000; i++) {
            keys.add(KeyType.UUID.canonical(new UUID(random.nextInt(4) * (1L << 62), random.nextLong())));
        }

        assertOrder(keys, "uuid", "select k from unnest(?) k order by k");
    }

    private static void assertOrder(TreeSet<ShardKey> keys, String type, String sql) throws SQLException {
        List<Object> ours = keys.stream().map(ShardKey::toObject).toList();
        List<Object> theirs = new ArrayList<>();
        try (Connection connection = servers.get(0).openConnection();
                PreparedStatement query = connection.prepareStatement(sql)) {
            Object[] descending =
                    keys.descendingSet().stream().map(ShardKey::toObject).toArray();
            Array array = connection.createArrayOf(type, descending);
            query.setArray(1, array);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    theirs.add(row.getObject(1));
                }
            }
        }
        assertEquals(theirs, ours, "seed=" + SEED);
    }
}
