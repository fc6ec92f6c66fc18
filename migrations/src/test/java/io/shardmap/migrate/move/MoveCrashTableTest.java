package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every crash point and everybody who may be struck there: one command heals, nothing is lost, nothing is left over. */
class MoveCrashTableTest {
    private static final Path TABLE = Path.of("target", "move-crash-table.md");
    private static final int SCENES = 4;
    private static final int MOST_CELLS = 700;

    private record Row(CrashFlow flow, CrashPoint point) {}

    /** Where a server holds what only it has, or where the owner changes; deaths of movers alone have tests of their own. */
    @Test
    void theMostDangerousCellsHeal() throws SQLException {
        List<CrashCell> cells = List.of(
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
                new CrashCell(CrashFlow.REVERSED, CrashPoint.AFTER_SWITCH, CrashVictim.SOURCE));
        try (CrashScene scene = new CrashScene(cells.size())) {
            cells.forEach(scene::run);
            scene.assertAllHealed();
        }
    }

    @Test
    @Tag("deep")
    void everyCellHeals() throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CrashScene scene = new CrashScene(CrashFlow.values().length)) {
            for (CrashFlow flow : CrashFlow.values()) {
                flow.points(scene.passed(flow)).forEach(point -> rows.add(new Row(flow, point)));
            }
        }
        Map<CrashCell, String> outcomes = new ConcurrentHashMap<>();
        Queue<Row> queue = new ConcurrentLinkedQueue<>(rows);
        ExecutorService threads = Executors.newFixedThreadPool(SCENES);
        try {
            List<Future<?>> scenes = new ArrayList<>();
            for (int scene = 0; scene < SCENES; scene++) {
                scenes.add(threads.submit(() -> {
                    play(queue, outcomes);
                    return null;
                }));
            }
            for (Future<?> scene : scenes) {
                scene.get();
            }
        } finally {
            threads.shutdownNow();
            write(rows, outcomes);
        }
        Set<CrashPoint> struck = EnumSet.noneOf(CrashPoint.class);
        rows.forEach(row -> struck.add(row.point));
        assertEquals(EnumSet.allOf(CrashPoint.class), struck, "every point is in the table");
    }

    private static void play(Queue<Row> queue, Map<CrashCell, String> outcomes) throws SQLException {
        try (CrashScene scene = new CrashScene(MOST_CELLS)) {
            for (Row row = queue.poll(); row != null; row = queue.poll()) {
                for (CrashVictim victim : CrashVictim.values()) {
                    CrashCell cell = new CrashCell(row.flow, row.point, victim);
                    outcomes.put(cell, scene.run(cell));
                }
            }
            scene.assertAllHealed();
        }
    }

    private static void write(List<Row> rows, Map<CrashCell, String> outcomes) throws IOException {
        StringBuilder table = new StringBuilder(head(rows, outcomes));
        for (CrashFlow flow : CrashFlow.values()) {
            table.append(title(flow));
            for (Row row : rows) {
                if (row.flow == flow) {
                    table.append(line(row, outcomes));
                }
            }
        }
        Files.writeString(TABLE, table);
    }

    private static String title(CrashFlow flow) {
        return "\n## `" + flow.command() + "`, healed by `" + flow.remedy() + "`\n\n| Point | "
                + Arrays.stream(CrashVictim.values()).map(CrashVictim::title).collect(Collectors.joining(" | "))
                + " |\n|" + "---|".repeat(CrashVictim.values().length + 1) + "\n";
    }

    private static String line(Row row, Map<CrashCell, String> outcomes) {
        return Arrays.stream(CrashVictim.values())
                .map(victim -> outcomes.getOrDefault(new CrashCell(row.flow, row.point, victim), "not run"))
                .collect(Collectors.joining(" | ", "| " + row.point + " | ", " |\n"));
    }

    private static String head(List<Row> rows, Map<CrashCell, String> outcomes) {
        long healed = outcomes.values().stream()
                .filter(outcome -> !outcome.equals(CrashScene.NOT_HEALED))
                .count();
        long points = rows.stream().map(Row::point).distinct().count();
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
        return String.format(Locale.ROOT, text, points, outcomes.size(), healed);
    }
}
