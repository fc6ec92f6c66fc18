package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A query over three servers gives what one database with all the rows gives, or is refused. */
class DifferentialTest {
    @RegisterExtension
    static final PostgresServers SERVERS = PostgresServers.shared("one", "two", "three", "single");

    private static final int QUERIES_PER_DATA = 125;

    private final Comparison comparison = new Comparison();

    @Test
    void givesTheAnswerOfOneDatabaseOrRefuses() throws SQLException {
        run(4);
    }

    @Test
    @Tag("deep")
    void givesTheAnswerOfOneDatabaseOrRefusesInManyRuns() throws SQLException {
        run(160);
    }

    private void run(int data) throws SQLException {
        for (int rows = 0; rows < data; rows++) {
            try (ShardedAndSingle databases = new ShardedAndSingle(SERVERS, rows)) {
                for (int i = 0; i < QUERIES_PER_DATA; i++) {
                    long seed = rows * QUERIES_PER_DATA + i;
                    RandomQueries.Query query = new RandomQueries(seed).next();
                    comparison.check(
                            query, seed, databases.single, databases.fanOut().fetchSize(seed % 2 == 0 ? 3 : 1_000));
                }
            }
        }
        org.slf4j.LoggerFactory.getLogger(DifferentialTest.class).info("queries by plan: {}", comparison.tiers());
        assertTrue(comparison.of("GroupedMerge") > 50, comparison.tiers()::toString);
        assertTrue(comparison.of("Coordinated") > 50, comparison.tiers()::toString);
        assertEquals(0, comparison.of("refused"), "the grammar has nothing to refuse: " + comparison.tiers());
    }
}
