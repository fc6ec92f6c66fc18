package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers die by kill -9 in the middle of an online move and come back: resuming loses nothing, and leaves nothing behind. */
class OnlineKilledServersTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);

    private record Kill(String server, CrashPoint point) {}

    @Test
    void anOnlineMoveGoesOnAfterItsSourceOrItsTargetWasKilled() throws SQLException {
        try (MoveWorld world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"))) {
            for (Kill kill : List.of(
                    new Kill("a", CrashPoint.AFTER_SLOT),
                    new Kill("b", CrashPoint.AFTER_BATCH),
                    new Kill("b", CrashPoint.AFTER_SUBSCRIPTION),
                    new Kill("a", CrashPoint.BEFORE_SWITCH),
                    new Kill("a", CrashPoint.AFTER_SWITCH),
                    new Kill("b", CrashPoint.AFTER_SWITCH),
                    new Kill("b", CrashPoint.AFTER_CLOSE),
                    new Kill("b", CrashPoint.AFTER_OPEN))) {
                killAndResume(world, kill);
            }
        }
    }

    private static void killAndResume(MoveWorld world, Kill kill) throws SQLException {
        int shard = world.shard();
        List<String> contents = world.contents("a", shard);
        List<String> neighbour = world.contents("a", shard + 1);
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", ONLINE);
        PostgresServer victim = servers.get(kill.server);
        AtomicBoolean dead = new AtomicBoolean();
        MoveHooks hooks = point -> {
            if (point == kill.point && dead.compareAndSet(false, true)) {
                victim.kill();
            }
        };

        ShardMapException failure = assertThrows(
                ShardMapException.class, () -> world.moves().withHooks(hooks).run(id));
        victim.start();

        assertEquals(ErrorCode.SERVER_UNAVAILABLE, failure.code(), () -> kill + ": " + failure.getMessage());
        assertTrue(!world.moves().status(id).state().isOver(), kill::toString);
        assertEquals(MoveState.DONE, world.moves().resume(id).state(), kill::toString);
        world.assertAtRest(shard, "b", contents, neighbour);
        for (PostgresServer server : servers.all()) {
            assertNoStream(server, kill);
        }
    }

    private static void assertNoStream(PostgresServer server, Kill kill) throws SQLException {
        try (Connection connection = server.openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select (select count(*) from pg_replication_slots) + (select count(*) from pg_publication)"
                                + " + (select count(*) from pg_subscription)")) {
            row.next();
            assertEquals(0, row.getLong(1), () -> kill + " " + server);
        }
    }
}
