package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** While virtual shards really move, a query gives what one database with all the rows gives. */
class MovingDifferentialTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("map", "one", "two", "three", "single");

    @Test
    void answersStayThoseOfOneDatabaseWhileVirtualShardsMove() throws SQLException {
        run(100, 3);
    }

    @Test
    @Tag("deep")
    void answersStayThoseOfOneDatabaseDuringManyMoves() throws SQLException {
        run(4_000, 100);
    }

    private static void run(int queries, int moves) throws SQLException {
        Comparison comparison = new Comparison();
        try (MovingDatabases databases = new MovingDatabases(SERVERS, queries)) {
            long seed = 0;
            while (seed < queries || databases.moved() < moves) {
                FanOut fanOut =
                        databases.fanOut().deadline(Duration.ofMinutes(2)).fetchSize(seed % 2 == 0 ? 3 : 1_000);
                comparison.check(
                        new RandomQueries(1_000_000 + seed).next(),
                        seed,
                        databases.single,
                        seed % 3 == 0 ? fanOut.snapshot() : fanOut);
                seed++;
            }
            LoggerFactory.getLogger(MovingDifferentialTest.class)
                    .info("queries by plan: {} during {} moves", comparison.tiers(), databases.moved());
        }
        assertTrue(comparison.of("GroupedMerge") > 10, comparison.tiers()::toString);
        assertTrue(comparison.of("Coordinated") > 10, comparison.tiers()::toString);
        assertEquals(0, comparison.of("refused"), "the grammar has nothing to refuse: " + comparison.tiers());
    }
}
