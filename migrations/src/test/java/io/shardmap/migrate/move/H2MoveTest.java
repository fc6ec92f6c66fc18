package io.shardmap.migrate.move;

import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
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
    void tamper(int shard) {
        try {
            world.execute(
                    world.server("b"),
                    "update \"account\" set \"balance\" = \"balance\" + 1 where \"id\" = 3 and \"vs\" = " + shard);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** H2 has no way to end a session that keeps its transaction open. */
    @Override
    Set<CrashPoint> withoutPause() {
        return EnumSet.range(CrashPoint.BEFORE_SWITCH, CrashPoint.BEFORE_CLOSE_COMMIT);
    }

    @Override
    MoveWorld world() {
        return world;
    }
}
