package io.shardmap.migrate.move;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2MoveTest extends MoveContract {
    private static MoveWorld world;

    @BeforeAll
    static void open() throws SQLException {
        world = MoveWorld.h2();
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
