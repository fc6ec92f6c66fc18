package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same load runs twice, first while nothing moves, then while the virtual shard of all its writers moves online to and fro: nothing
 * is lost, nothing is there twice, no answer is wrong, and no caller sees an error of a kind that it does not see otherwise.
 */
class OnlineMoveLoadTest {
    private static final Logger LOG = LoggerFactory.getLogger(OnlineMoveLoadTest.class);
    private static final int MOVES = 6;
    private static final int MOVES_OF_A_LONG_RUN = 200;
    private final List<String> pauses = new ArrayList<>();
    /** Sums that are wrong when the servers are asked without the library: the oracle would notice. */
    private int wrongWithoutTheLibrary;

    @Test
    void eightWritersOfOneKeyLoseNothingWhileItsVirtualShardMovesOnline() throws Exception {
        moveUnderLoad(MOVES, Duration.ofSeconds(4));
    }

    @Test
    @Tag("deep")
    void eightWritersOfOneKeyLoseNothingInTwoHundredMoves() throws Exception {
        moveUnderLoad(MOVES_OF_A_LONG_RUN, Duration.ofMinutes(1));
    }

    private void moveUnderLoad(int moves, Duration before) throws Exception {
        try (BankScene scene = new BankScene()) {
            BankLoad.Report without = scene.load().during(BankLoad.nothing(before));
            BankLoad.Report with = scene.load().during(() -> moveToAndFro(scene, moves));
            LOG.info("load without moves: {}", without);
            LOG.info(
                    "load over {} online moves: {}, locks held={}, sums wrong without the library={}",
                    moves,
                    with,
                    pauses,
                    wrongWithoutTheLibrary);
            assertTrue(with.sums.get() > moves && with.fanOuts.get() > moves, () -> "somebody looked: " + with);
            assertEquals(2 * moves, wrongWithoutTheLibrary, "a sum that counts copies differs");
            scene.assertNothingLost(moves % 2 == 0 ? "a" : "b", without, with);
        }
    }

    private void moveToAndFro(BankScene scene, int count) {
        Moves moves = scene.moves();
        MoveOptions options = MoveOptions.DEFAULT
                .withGrace(Duration.ofSeconds(1))
                .withOnline(OnlineOptions.DEFAULT.withCatchUp(Duration.ofMinutes(2)));
        MoveListener listener = new MoveListener() {
            @Override
            public void paused(MoveStatus move, Duration pause, boolean switched) {
                pauses.add(pause.toMillis() + (switched ? " ms switched" : " ms"));
            }
        };
        MoveHooks askServers = point -> {
            if (point == CrashPoint.AFTER_CATCH_UP || point == CrashPoint.BEFORE_CLEAN) {
                wrongWithoutTheLibrary += isSumOfServersRight(scene) ? 0 : 1;
            }
        };
        for (int move = 0; move < count; move++) {
            long start = System.nanoTime();
            MoveId id = moves.start(BankLoad.MAP, 1, move % 2 == 0 ? "b" : "a", options);
            MoveStatus end = moves.withListener(listener).withHooks(askServers).run(id);
            assertEquals(MoveState.DONE, end.state());
            LOG.info(
                    "online move {} took {} ms: {}",
                    move,
                    (System.nanoTime() - start) / 1_000_000,
                    steps(moves.journal(id), end));
        }
    }

    private static List<String> steps(List<JournalEntry> journal, MoveStatus move) {
        return journal.stream()
                .map(entry -> entry.step() + " "
                        + Duration.between(move.createdAt(), entry.at()).toMillis())
                .toList();
    }

    private static boolean isSumOfServersRight(BankScene scene) {
        try {
            String sum = "select coalesce(sum(balance), 0) from account";
            return scene.number("a", sum) + scene.number("b", sum)
                    == (long) BankLoad.SHARDS * BankLoad.ACCOUNTS * BankLoad.BALANCE;
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
