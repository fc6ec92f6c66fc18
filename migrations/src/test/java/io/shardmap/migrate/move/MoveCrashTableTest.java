package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardmap.testkit.PostgresServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every crash point and everybody who may be struck there: one command heals, nothing is lost, nothing is left over. */
class MoveCrashTableTest {
    private static final Logger LOG = LoggerFactory.getLogger(MoveCrashTableTest.class);
    private static final int MOST_CELLS = 800;
    private static final Path TABLE = Path.of("target", "move-crash-table.md");

    private final PostgresServers servers = PostgresServers.start("map", "a", "b");
    private final List<String> failures = new ArrayList<>();
    private MoveWorld world;
    private int cells;

    @BeforeEach
    void open() throws SQLException {
        world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"), 2 * MOST_CELLS);
    }

    @AfterEach
    void stop() {
        world.close();
        servers.close();
    }

    /** Where a server holds what only it has, or where the owner changes; deaths of movers alone have tests of their own. */
    @Test
    void theMostDangerousCellsHeal() throws SQLException {
        for (CrashCell cell : List.of(
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_SLOT, CrashVictim.SOURCE),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_BATCH, CrashVictim.TARGET),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_SUBSCRIPTION, CrashVictim.TARGET),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.BEFORE_SWITCH, CrashVictim.SOURCE),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.BEFORE_SWITCH, CrashVictim.CONNECTIONS),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_SWITCH, CrashVictim.SOURCE),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_SWITCH, CrashVictim.TARGET),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_CLOSE, CrashVictim.TARGET),
                new CrashCell(CrashFlow.ONLINE, CrashPoint.AFTER_OPEN, CrashVictim.MAP),
                new CrashCell(CrashFlow.ONLINE_CANCELLED, CrashPoint.BEFORE_DRAIN, CrashVictim.TARGET),
                new CrashCell(CrashFlow.PORTABLE, CrashPoint.AFTER_BATCH, CrashVictim.SOURCE),
                new CrashCell(CrashFlow.PORTABLE, CrashPoint.BEFORE_SWITCH, CrashVictim.MAP),
                new CrashCell(CrashFlow.PORTABLE, CrashPoint.AFTER_CLOSE, CrashVictim.TARGET),
                new CrashCell(CrashFlow.REVERSIBLE, CrashPoint.AFTER_BACK_POSITION, CrashVictim.TARGET),
                new CrashCell(CrashFlow.REVERSED, CrashPoint.AFTER_SWITCH, CrashVictim.SOURCE))) {
            run(cell);
        }
        assertAllHealed();
    }

    @Test
    @Tag("deep")
    void everyCellHeals() throws SQLException, IOException {
        Set<CrashPoint> struck = EnumSet.noneOf(CrashPoint.class);
        StringBuilder sections = new StringBuilder();
        for (CrashFlow flow : CrashFlow.values()) {
            List<CrashPoint> points = flow.points(passed(flow));
            struck.addAll(points);
            sections.append(section(flow, points));
            Files.writeString(TABLE, sections);
        }
        String table = head(struck.size()) + sections;
        Files.writeString(TABLE, table);
        LOG.info("{}", table);
        assertAllHealed();
        assertEquals(EnumSet.allOf(CrashPoint.class), struck, "every point is in the table");
    }

    private String head(int points) {
        String text = """
                # What happens when something dies in the middle of a move

                Written by the test `MoveCrashTableTest`, which strikes every command at every point between two of its steps (%d points), once per
                victim: the mover's process dies, a server is killed with `kill -9` and started again, or all connections of the three databases
                are cut. Then applications write, with the old route and with the new one; at most one of them is let in. Then one command heals.
                In every cell all rows are as the applications left them, each once, on the server that the map names; the neighbours' rows are
                untouched; and no slot, publication, subscription, replication origin, session, lock, lease or copied row is left.

                A cell says how the command ended, in which state the move was found, and the state after the healing command, if that is another.

                Cells: %d, healed: %d.
                """;
        return String.format(Locale.ROOT, text, points, cells, cells - failures.size());
    }

    private String section(CrashFlow flow, List<CrashPoint> points) throws SQLException {
        StringBuilder rows = new StringBuilder("\n## `" + flow.command() + "`, healed by `" + flow.remedy()
                + "`\n\n| Point | "
                + Arrays.stream(CrashVictim.values()).map(CrashVictim::title).collect(Collectors.joining(" | "))
                + " |\n|" + "---|".repeat(CrashVictim.values().length + 1) + "\n");
        for (CrashPoint point : points) {
            Map<CrashVictim, String> outcomes = new EnumMap<>(CrashVictim.class);
            for (CrashVictim victim : CrashVictim.values()) {
                outcomes.put(victim, run(new CrashCell(flow, point, victim)));
            }
            rows.append("| ")
                    .append(point)
                    .append(" | ")
                    .append(String.join(" | ", outcomes.values()))
                    .append(" |\n");
        }
        return rows.toString();
    }

    private String run(CrashCell cell) {
        cells++;
        long start = System.nanoTime();
        String outcome;
        try {
            outcome = cell.run(servers, world);
        } catch (SQLException | RuntimeException | AssertionError failure) {
            LOG.error("cell did not heal: {}", cell, failure);
            failures.add(cell + ": " + failure);
            outcome = "**not healed**";
            CrashVictim.recover(servers, world);
        }
        LOG.info("{}: {} ({} ms)", cell, outcome, (System.nanoTime() - start) / 1_000_000);
        return outcome;
    }

    /** The points that a command passes when nothing happens. */
    private List<CrashPoint> passed(CrashFlow flow) throws SQLException {
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

    private void assertAllHealed() throws SQLException {
        assertEquals(List.of(), failures);
        for (String name : List.of("a", "b")) {
            for (String parts : Stream.of("replication_slots", "publication", "subscription", "replication_origin")
                    .map(part -> "pg_" + part)
                    .toList()) {
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
}
