package io.shardmap.migrate.move;

import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
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

    @Override
    MoveWorld world() {
        return world;
    }
}
