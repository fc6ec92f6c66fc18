package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OnlinePreflightTest {
    private static final MoveOptions ONLINE = MoveWorld.QUICK.withOnline(OnlineOptions.DEFAULT);

    @RegisterExtension
    static final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("wal_level", "replica")
            .setting("max_replication_slots", "0")
            .setting("max_logical_replication_workers", "0")
            .build();

    private static Set<Kind> kinds(MovePlan plan) {
        return plan.problems().stream().map(PreflightProblem::kind).collect(Collectors.toSet());
    }

    @Test
    void everythingThatIsInTheWayOfReplicationIsToldAtOnce() throws SQLException {
        try (MoveWorld world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"))) {
            int shard = world.shard();
            world.execute(world.server("a"), "alter table ledger drop constraint ledger_pkey");
            try (Connection connection = servers.get("a").openConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("create table prepared (n int)");
                statement.execute("prepare transaction 'left open'");
            }

            MoveOptions elsewhere =
                    ONLINE.withOnline(OnlineOptions.DEFAULT.withSourceUrl("jdbc:postgresql://127.0.0.1:1/nosuch"));
            MovePlan plan = world.moves().plan(MoveWorld.MAP, shard, "b", elsewhere);

            assertEquals(
                    EnumSet.of(
                            Kind.WAL_LEVEL,
                            Kind.NO_REPLICATION_CAPACITY,
                            Kind.REPLICA_IDENTITY,
                            Kind.PREPARED_TRANSACTION,
                            Kind.SOURCE_UNREACHABLE),
                    kinds(plan),
                    () -> plan.problems().toString());
            for (PreflightProblem problem : plan.problems()) {
                assertTrue(problem.message().contains("portable method"), problem::message);
            }
            assertEquals(
                    List.of(), world.moves().plan(MoveWorld.MAP, shard, "b").problems(), "portable");
            try (Connection connection = servers.get("a").openConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("rollback prepared 'left open'");
            }
        }
    }

    @Test
    void h2IsToldToMoveByThePortableMethod() throws SQLException {
        try (MoveWorld world = MoveWorld.h2()) {
            MovePlan plan = world.moves().plan(MoveWorld.MAP, world.shard(), "b", ONLINE);

            assertEquals(Set.of(Kind.ONLINE_UNSUPPORTED), kinds(plan));
        }
    }

    @Test
    void theOptionsAreStoredWithTheMove() {
        MoveOptions options = ONLINE.withOnline(OnlineOptions.DEFAULT
                .withPause(java.time.Duration.ofMillis(500))
                .withWalLimit(5_000_000)
                .withSourceUrl("jdbc:postgresql://db1:5433/books?sslmode=require"));

        assertEquals(options, MoveOptions.parse(options.stored()));
        assertEquals(
                MoveMethod.PORTABLE, MoveOptions.parse(MoveWorld.QUICK.stored()).method());
        assertEquals(MoveMethod.ONLINE, options.method());
    }
}
