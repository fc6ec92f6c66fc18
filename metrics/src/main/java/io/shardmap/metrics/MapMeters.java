package io.shardmap.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.shardmap.ShardMap;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.ShardRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the cached maps look like: their generations, and how many virtual shards each server holds. */
final class MapMeters {
    private record Place(String server, String state) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byServer = server.compareTo(other.server);
            return byServer != 0 ? byServer : state.compareTo(other.state);
        }
    }

    private final MultiGauge versions;
    private final MultiGauge shards;
    private volatile @Nullable ShardRouter router;

    MapMeters(MeterRegistry registry) {
        this.versions = MultiGauge.builder("shardmap.map.version")
                .description("Generation of the cached map")
                .register(registry);
        this.shards = MultiGauge.builder("shardmap.shards")
                .description("Virtual shards by server and state; server \"none\" for those that are unassigned")
                .register(registry);
    }

    void watch(ShardRouter watched) {
        router = watched;
        update();
    }

    synchronized void update() {
        ShardRouter watched = router;
        if (watched == null) {
            return;
        }
        List<MultiGauge.Row<?>> generations = new ArrayList<>();
        List<MultiGauge.Row<?>> placements = new ArrayList<>();
        for (ShardMap map : watched.maps()) {
            generations.add(MultiGauge.Row.of(Tags.of("map", map.name()), map.generation()));
            Map<Place, Integer> counts = new TreeMap<>();
            for (VirtualShard shard : map.virtualShards()) {
                String server = shard.server() == null ? "none" : shard.server();
                counts.merge(new Place(server, shard.state().name().toLowerCase(Locale.ROOT)), 1, Integer::sum);
            }
            counts.forEach((place, count) -> placements.add(MultiGauge.Row.of(
                    Tags.of("map", map.name(), "server", place.server(), "state", place.state()), count)));
        }
        versions.register(generations, true);
        shards.register(placements, true);
    }
}
