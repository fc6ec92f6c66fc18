package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The target reaches the source by another address than movers and applications do. */
class ReplicationAddressTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    @Test
    void theAddressInTheMapIsTriedInPreflightAndUsedByTheMove() throws SQLException {
        try (MoveWorld world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"))) {
            int shard = world.shard();
            List<String> contents = world.contents("a", shard);
            Server a = world.server("a");

            world.store.putServer(new Server("a", a.url(), null, "jdbc:postgresql://127.0.0.1:1/postgres"));
            List<PreflightProblem> problems =
                    world.moves().plan(MoveWorld.MAP, shard, "b", ONLINE).problems();
            assertEquals(
                    List.of(PreflightProblem.Kind.SOURCE_UNREACHABLE),
                    problems.stream().map(PreflightProblem::kind).toList());
            String message = problems.get(0).message();
            assertTrue(message.contains("shardmap server add a --replication-url"), message);
            assertTrue(message.contains("portable method"), message);
            assertEquals(
                    List.of(), world.moves().plan(MoveWorld.MAP, shard, "b").problems());

            String internal = String.valueOf(a.url()).replace("127.0.0.1", "localhost");
            assertTrue(!internal.equals(a.url()), internal);
            world.store.putServer(new Server("a", a.url(), null, internal));
            List<String> used = new ArrayList<>();
            Moves moves = world.moves().withHooks(point -> {
                if (point == CrashPoint.AFTER_SUBSCRIPTION) {
                    used.addAll(addresses());
                }
            });
            MoveStatus moved = moves.run(moves.start(MoveWorld.MAP, shard, "b", ONLINE));

            assertEquals(MoveState.DONE, moved.state());
            assertEquals(1, used.size());
            assertTrue(used.get(0).contains("host='localhost'"), used::toString);
            assertEquals(contents, world.contents("b", shard));

            MoveOptions elsewhere =
                    ONLINE.withOnline(OnlineOptions.DEFAULT.withSourceUrl("jdbc:postgresql://127.0.0.1:1/postgres"));
            assertEquals(
                    1,
                    world.moves()
                            .plan(MoveWorld.MAP, shard + 1, "b", elsewhere)
                            .problems()
                            .size(),
                    "an address given with the move goes before the one in the map");
        }
    }

    private static List<String> addresses() {
        try (Connection connection = servers.get("b").openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select subconninfo from pg_subscription")) {
            List<String> addresses = new ArrayList<>();
            while (row.next()) {
                addresses.add(row.getString(1));
            }
            return addresses;
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void anAddressWithAPasswordIsNeverStored() {
        ShardMapException refusal = assertThrows(
                ShardMapException.class,
                () -> new Server("a", "jdbc:postgresql://db/x", null, "jdbc:postgresql://db/x?password=secret"));
        assertEquals(ErrorCode.INVALID_DEFINITION, refusal.code());
        assertTrue(!String.valueOf(refusal.getMessage()).contains("secret"), refusal.getMessage());
        assertThrows(ShardMapException.class, () -> new Server("a", null, null, "jdbc:h2:mem:x"));
    }
}
