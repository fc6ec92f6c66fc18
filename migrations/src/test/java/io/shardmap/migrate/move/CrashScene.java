package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers of its own, on which one cell of the table of crash points runs after the other. Used by one thread. */
final class CrashScene implements AutoCloseable {
    static final String NOT_HEALED = "**not healed**";

    private static final Logger LOG = LoggerFactory.getLogger(CrashScene.class);

    /** A worker that ends, by a crash or an error, begins again as soon as the launcher looks. */
    private final PostgresServers servers = PostgresServers.builder("map", "a", "b")
            .setting("wal_retrieve_retry_interval", "200ms")
            .start();

    private final MoveWorld world;
    private final List<String> failures = new ArrayList<>();

    CrashScene(int mostCells) throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"), 2 * mostCells);
    }

    /** Returns what happened. */
    String run(CrashCell cell) {
        long start = System.nanoTime();
        String outcome;
        try {
            outcome = cell.run(servers, world);
        } catch (SQLException | RuntimeException | AssertionError failure) {
            LOG.error("cell did not heal: {}", cell, failure);
            failures.add(cell + ": " + failure);
            outcome = NOT_HEALED;
            CrashVictim.recover(servers, world);
        }
        LOG.info("{}: {} ({} ms)", cell, outcome, (System.nanoTime() - start) / 1_000_000);
        return outcome;
    }

    /** The points that a command passes when nothing happens. */
    List<CrashPoint> passed(CrashFlow flow) throws SQLException {
        ReversibleStory story = ReversibleStory.begin(world);
        MoveId id = world.moves().start(MoveWorld.MAP, story.shard(), "b", flow.options());
        flow.prepare(world, story, id);
        Set<CrashPoint> points = new LinkedHashSet<>();
        flow.act(world.moves().withHooks(points::add), id);
        if (!world.moves().status(id).state().isOver()) {
            world.moves().complete(id);
        }
        return List.copyOf(points);
    }

    void assertAllHealed() throws SQLException {
        assertEquals(List.of(), failures);
        for (String name : List.of("a", "b")) {
            for (String parts :
                    List.of("pg_replication_slots", "pg_publication", "pg_subscription", "pg_replication_origin")) {
                assertEquals(0, count(name, parts), name + " " + parts);
            }
        }
    }

    private long count(String server, String table) throws SQLException {
        try (Connection connection = servers.get(server).openConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        world.close();
        servers.close();
    }
}
