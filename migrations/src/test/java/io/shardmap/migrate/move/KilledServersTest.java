package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers die by kill -9 in the middle of a move and come back: resuming loses nothing. */
class KilledServersTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.named("map", "a", "b");

    private record Kill(String server, CrashPoint point, ErrorCode expected) {}

    @Test
    void aMoveGoesOnAfterItsSourceItsTargetOrTheShardMapDatabaseWasKilled() throws SQLException {
        try (MoveWorld world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"))) {
            for (Kill kill : List.of(
                    new Kill("a", CrashPoint.AFTER_BATCH, ErrorCode.SERVER_UNAVAILABLE),
                    new Kill("b", CrashPoint.AFTER_BATCH, ErrorCode.SERVER_UNAVAILABLE),
                    new Kill("b", CrashPoint.AFTER_CLOSE, ErrorCode.SERVER_UNAVAILABLE),
                    new Kill("a", CrashPoint.AFTER_SWITCH, ErrorCode.SERVER_UNAVAILABLE),
                    new Kill("map", CrashPoint.BEFORE_SWITCH, ErrorCode.STORE_UNAVAILABLE),
                    new Kill("map", CrashPoint.AFTER_SWITCH, ErrorCode.STORE_UNAVAILABLE))) {
                killAndResume(world, kill);
            }
        }
    }

    private static void killAndResume(MoveWorld world, Kill kill) throws SQLException {
        int shard = world.shard();
        List<String> contents = world.contents("a", shard);
        List<String> neighbour = world.contents("a", shard + 1);
        MoveId id = world.moves().start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK);
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

        assertEquals(kill.expected, failure.code(), () -> kill + ": " + failure.getMessage());
        assertTrue(!world.moves().status(id).state().isOver(), kill::toString);
        assertEquals(MoveState.DONE, world.moves().resume(id).state(), kill::toString);
        world.assertAtRest(shard, "b", contents, neighbour);
    }
}
