package io.shardmap.migrate.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ShardedTable;
import io.shardmap.migrate.changes.ChangedRows.Change;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableShape;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

class ChangedRowsTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String TABLES = """
            drop table if exists "Item", log;
            create table "Item" ("Shard" int not null, at timestamptz not null, name text not null, picture text,
                primary key ("Shard", at, name));
            create table log ("Shard" int not null, line text);
            alter table log replica identity full;
            """;

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("a", "b");

    /** Of each test its own: the session before may take a moment to end. */
    private final String slot = "s" + Long.toHexString(System.nanoTime());

    @BeforeEach
    void prepare() throws SQLException {
        on("a", "drop publication if exists p");
        on("a", TABLES);
        on("b", TABLES);
        on("a", "create publication p for table \"Item\" where (\"Shard\" = 1), log where (\"Shard\" = 1)");
    }

    @Test
    void rowsAreKnownByTheirOldAndNewKeys() throws Exception {
        on("a", "insert into \"Item\" values (1, '2026-01-01 00:00+00', 'gone', null)");
        try (ChangedRows rows = follow()) {
            on("a", "insert into \"Item\" values (1, '2026-01-01 00:00:00.123456+02', 'it''s \"új\"', 'x')");
            on("a", "insert into \"Item\" values (2, '2026-01-01 00:00+00', 'of another shard', null)");
            on("a", "update \"Item\" set name = 'renamed' where name = 'gone'");
            on("a", "delete from \"Item\" where name = 'renamed'");

            assertTrue(rows.await(position(), LONG));

            assertNull(rows.lost());
            assertEquals(Set.of("public.Item"), rows.unsettled().keySet());
            Set<String> names = new TreeSet<>();
            for (Change change : rows.unsettled().get("public.Item")) {
                assertEquals(List.of("Shard", "at", "name"), change.row().columns());
                assertEquals("1", change.row().key().get(0));
                names.add(change.row().key().get(2));
            }
            assertEquals(Set.of("gone", "it's \"új\"", "renamed"), names);
            assertEquals(Set.of(), rows.tablesWithoutKey());
        }
    }

    @Test
    void whatChangedIsComparedRowByRow() throws Exception {
        String row = "insert into \"Item\" values (1, '2026-01-01 00:00:00.123456+02', '%s', repeat('long', 5000))";
        try (ChangedRows rows = follow()) {
            for (String name : List.of("same", "different", "missing", "gone")) {
                on("a", row.replace("%s", name));
            }
            on("b", row.replace("%s", "same"));
            on("b", row.replace("%s", "different").replace("'long'", "'else'"));
            on("a", "delete from \"Item\" where name = 'gone'");
            assertTrue(rows.await(position(), LONG));
            RowComparison comparison = comparison(rows);

            RowComparison.Digests here = digests("a", comparison);
            RowComparison.Digests there = digests("b", comparison);

            assertEquals(Set.of("same", "gone"), names(comparison.equal(here, there)));
            assertNotNull(comparison.difference(here, there));
            comparison.equal(here, there).forEach(rows::settle);
            assertEquals(Set.of("different", "missing"), names(rows.unsettled().get("public.Item")));
            on("b", "update \"Item\" set picture = repeat('long', 5000) where name = 'different'");
            on("b", row.replace("%s", "missing"));
            assertNull(comparison.difference(digests("a", comparison), digests("b", comparison)));
        }
    }

    @Test
    void rowThatChangesAfterItWasReadIsNotSettled() throws Exception {
        try (ChangedRows rows = follow()) {
            on("a", "insert into \"Item\" values (1, '2026-01-01 00:00+00', 'busy', '1')");
            assertTrue(rows.await(position(), LONG));
            List<Change> read = rows.unsettled().get("public.Item");
            on("a", "update \"Item\" set picture = '2'");
            assertTrue(rows.await(position(), LONG));

            read.forEach(rows::settle);

            assertEquals(1, rows.size());
            rows.unsettled().get("public.Item").forEach(rows::settle);
            assertEquals(0, rows.size());
            assertEquals(Map.of(), rows.unsettled());
        }
    }

    @Test
    void tablesWhoseRowsHaveNoKeyAreNamedWhenTheyChange() throws Exception {
        try (ChangedRows rows = follow()) {
            assertTrue(rows.await(position(), LONG));
            assertEquals(Set.of(), rows.tablesWithoutKey());
            on("a", "insert into log values (1, 'same'), (1, 'same')");

            assertTrue(rows.await(position(), LONG));

            assertEquals(Set.of("public.log"), rows.tablesWithoutKey());
            assertEquals(0, rows.size());
        }
    }

    @Test
    void endOfTheSessionIsToldAndNothingIsKnownAnyMore() throws Exception {
        try (ChangedRows rows = follow()) {
            on("a", "insert into \"Item\" values (1, '2026-01-01 00:00+00', 'x', null)");
            assertTrue(rows.await(position(), LONG));
            on(
                    "a",
                    "select pg_terminate_backend(active_pid, 10000) from pg_replication_slots where slot_name = '"
                            + slot + "'");

            assertFalse(rows.await("FFFFFFFF/0", LONG));

            assertTrue(String.valueOf(rows.lost()).startsWith("changes could not be followed"), rows.lost());
            assertEquals(0, rows.size());
        }
    }

    private ChangedRows follow() throws SQLException {
        PostgresServer server = servers.get("a");
        Properties properties = new Properties();
        PGProperty.USER.set(properties, server.user());
        PGProperty.PASSWORD.set(properties, server.password());
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "15");
        Connection connection = new Driver().connect(server.jdbcUrl(), properties);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE_REPLICATION_SLOT " + slot + " TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')");
        }
        return ChangedRows.follow(connection, slot, "p", Map.of());
    }

    private static RowComparison comparison(ChangedRows rows) throws SQLException {
        try (Connection connection = servers.get("a").openConnection()) {
            TableShape item = TableInspector.of(connection)
                    .inspect(connection, new ShardedTable(null, "Item", "Shard"))
                    .orElseThrow();
            return new RowComparison(List.of(item), 1, rows.unsettled());
        }
    }

    private static RowComparison.Digests digests(String server, RowComparison comparison) throws SQLException {
        try (Connection connection = servers.get(server).openConnection()) {
            return comparison.read(connection);
        }
    }

    private static Set<String> names(List<Change> changes) {
        return changes.stream().map(change -> change.row().key().get(2)).collect(Collectors.toSet());
    }

    private static String position() throws SQLException {
        try (Connection connection = servers.get("a").openConnection();
                Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select pg_current_wal_insert_lsn()::text,"
                        + " pg_logical_emit_message(true, 'shardmap', 'position')")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void on(String server, String sql) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
