package io.shardmap.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveListener;
import io.shardmap.migrate.move.MoveStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The meters of the moves that this process makes; give it to {@code Moves.withListener}. Needs {@code shardmap-migrations} on the class
 * path. Safe for use by many threads; one object per registry.
 */
public final class MoveMetrics implements MoveListener {
    private record Copied(MoveId move, String table) {}

    private record Amount(long rows, long bytes) {}

    private final MeterRegistry registry;
    private final MultiGauge active;
    private final MultiGauge lag;
    private final Map<MoveId, MoveStatus> running = new HashMap<>();
    private final Map<MoveId, Long> lags = new HashMap<>();
    private final Map<Copied, Amount> copied = new HashMap<>();

    /** Creates the meters. */
    public MoveMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.active = MultiGauge.builder("shardmap.move.active")
                .description("Moves that this process is making, by phase")
                .register(registry);
        this.lag = MultiGauge.builder("shardmap.move.lag")
                .description("What the stream of an online move has before it")
                .baseUnit("bytes")
                .register(registry);
    }

    @Override
    public synchronized void entered(MoveStatus move) {
        if (move.state().isAtRest()) {
            running.remove(move.id());
            lags.remove(move.id());
            copied.keySet().removeIf(of -> of.move().equals(move.id()));
            Counter.builder("shardmap.moves")
                    .description("Moves that this process brought to their end, or to where they wait")
                    .tags(servers(move).and("state", lower(move)))
                    .register(registry)
                    .increment();
        } else {
            running.put(move.id(), move);
        }
        update();
    }

    @Override
    public synchronized void copied(MoveStatus move, String table, long rows, long bytes) {
        Amount before = copied.put(new Copied(move.id(), table), new Amount(rows, bytes));
        boolean again = before == null || before.rows() > rows;
        count("shardmap.move.rows", "Rows copied by moves", move, again ? rows : rows - before.rows());
        count("shardmap.move.bytes", "Bytes copied by moves", move, again ? bytes : bytes - before.bytes());
    }

    private void count(String name, String description, MoveStatus move, long amount) {
        Counter.builder(name)
                .description(description)
                .tags(servers(move))
                .register(registry)
                .increment((double) Math.max(0, amount));
    }

    @Override
    public synchronized void lag(MoveStatus move, long bytes) {
        lags.put(move.id(), bytes);
        running.put(move.id(), move);
        update();
    }

    @Override
    public void paused(MoveStatus move, Duration pause, boolean switched) {
        Timer.builder("shardmap.move.pause")
                .description("How long online moves kept writers of a virtual shard waiting")
                .tags(servers(move).and("switched", String.valueOf(switched)))
                .register(registry)
                .record(pause);
    }

    private void update() {
        Map<Tags, Long> phases = new HashMap<>();
        Map<Tags, Long> behind = new HashMap<>();
        running.values().forEach(move -> {
            phases.merge(servers(move).and("phase", lower(move)), 1L, Long::sum);
            behind.merge(servers(move), lags.getOrDefault(move.id(), 0L), Long::sum);
        });
        active.register(rows(phases), true);
        lag.register(rows(behind), true);
    }

    private static List<MultiGauge.Row<?>> rows(Map<Tags, Long> values) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        values.forEach((tags, value) -> rows.add(MultiGauge.Row.of(tags, value)));
        return rows;
    }

    private static Tags servers(MoveStatus move) {
        return Tags.of("map", move.map(), "source", move.source(), "target", move.target());
    }

    private static String lower(MoveStatus move) {
        return move.state().name().toLowerCase(Locale.ROOT);
    }
}
