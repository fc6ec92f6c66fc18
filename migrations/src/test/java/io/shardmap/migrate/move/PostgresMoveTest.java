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
    MoveWorld world() {
        return world;
    }
}
