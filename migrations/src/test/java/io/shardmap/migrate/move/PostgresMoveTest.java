package io.shardmap.migrate.move;

import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresMoveTest extends MoveContract {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "a", "b");

    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"));
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @Override
    void tamper(int shard) {
        try {
            world.execute(
                    world.server("b"),
                    "set session_replication_role = replica; update account set balance = balance + 1 where id = 3 and vs = "
                            + shard + "; reset session_replication_role");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What only compares tokens and leases is tried on H2, which is faster; the rest has locks and sessions to end. */
    @Override
    Set<CrashPoint> withoutPause() {
        return EnumSet.of(
                CrashPoint.BEFORE_LEASE,
                CrashPoint.AFTER_LEASE,
                CrashPoint.AFTER_PREFLIGHT,
                CrashPoint.BEFORE_PREPARE,
                CrashPoint.AFTER_COPY,
                CrashPoint.AFTER_COMPARE,
                CrashPoint.BEFORE_GRACE,
                CrashPoint.AFTER_CLEAN,
                CrashPoint.AFTER_DONE);
    }

    @Override
    MoveWorld world() {
        return world;
    }
}
