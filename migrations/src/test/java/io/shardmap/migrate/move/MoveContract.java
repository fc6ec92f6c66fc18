package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a move does on every product. */
abstract class MoveContract {
    abstract MoveWorld world();

    @Test
    void aVirtualShardMovesWithAllItsRowsAndBackAgain() throws SQLException {
        int shard = world().shard();
        List<String> before = world().contents("a", shard);
        List<String> neighbour = world().contents("a", shard + 1);
        assertEquals(39, before.size());

        MoveId there = world().moves().start(MoveWorld.MAP, shard, "b", MoveWorld.QUICK);
        assertEquals(MoveState.DONE, world().moves().run(there).state());
        world().assertAtRest(shard, "b", before, neighbour);
        assertEquals(2, world().map().virtualShards().get(shard).epoch());

        MoveId back = world().moves().start(MoveWorld.MAP, shard, "a", MoveWorld.QUICK);
        assertEquals(MoveState.DONE, world().moves().run(back).state());
        world().assertAtRest(shard, "a", before, neighbour);
        assertEquals(3, world().map().virtualShards().get(shard).epoch());
    }
}
