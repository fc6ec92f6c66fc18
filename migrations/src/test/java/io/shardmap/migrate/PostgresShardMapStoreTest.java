package io.shardmap.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardmap.Server;
import io.shardmap.VirtualShard;
import io.shardmap.key.KeyType;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapDefinition;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The contract on PostgreSQL, and what only PostgreSQL does. */
class PostgresShardMapStoreTest extends ShardMapStoreContract {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("shardmap");

    @Override
    TestDatabases databases() {
        return new TestDatabases.Postgres(servers.get(0));
    }

    @Test
    void listenersHearOfEveryNewGenerationWhenItCommits() throws SQLException {
        DataSource database = databases().withCatalogue();
        JdbcShardMapStore store = new JdbcShardMapStore(database);
        try (Connection listener = database.getConnection();
                Statement statement = listener.createStatement()) {
            statement.execute("listen shardmap");

            store.createMap(
                    new ShardMapDefinition("ids", KeyType.LONG, new Strategy.Lookup(new KeyFunction.Identity(2))));
            store.putServer(new Server("s1", null));
            store.place("ids", VirtualShard.unassigned(0), placed(0, "s1", 1));

            assertEquals(List.of("ids:1", "ids:2", "ids:3"), heard(listener, 3));
        }
    }

    private static List<String> heard(Connection listener, int count) throws SQLException {
        List<String> payloads = new ArrayList<>();
        while (payloads.size() < count) {
            PGNotification[] some = listener.unwrap(PGConnection.class).getNotifications(10_000);
            if (some == null || some.length == 0) {
                return payloads;
            }
            for (PGNotification one : some) {
                payloads.add(one.getParameter());
            }
        }
        return payloads;
    }

    @Test
    void anAcknowledgedChangeIsDurableWhateverTheDatabasesDefaultIs() throws SQLException {
        DataSource database = databases().withCatalogue();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = off");
            JdbcShardMapStore store = new JdbcShardMapStore(new OneConnectionPool(connection), "ana");

            assertEquals("on", store.change(transaction -> setting(transaction.connection())));
            assertEquals("off", setting(connection), "only for the transaction");
        }
    }

    private static String setting(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show synchronous_commit")) {
            row.next();
            return row.getString(1);
        }
    }
}
