package io.shardmap.spring;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.store.ShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of a sharded database: one entry for the shard-map database and one per server that holds virtual shards. A server that is away
 * is {@link #DEGRADED}, not DOWN: the keys of the others are served, and restarting the application would help nobody. Without a map, DOWN.
 */
final class ShardmapHealth implements CompositeHealthContributor {
    /** Some keys cannot be served now, or the map cannot be refreshed. */
    static final Status DEGRADED = new Status("DEGRADED");

    private static final String MAP_DATABASE = "map-database";
    private static final int VALID_SECONDS = 3;

    private final ShardRouter router;
    private final ShardMapStore store;
    private final String map;

    ShardmapHealth(ShardRouter router, ShardMapStore store, String map) {
        this.router = router;
        this.store = store;
        this.map = map;
    }

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        return stream()
                .filter(entry -> entry.name().equals(name))
                .map(Entry::contributor)
                .findFirst()
                .orElse(null);
    }

    @Override
    public Stream<Entry> stream() {
        return Stream.concat(
                Stream.of(new Entry(MAP_DATABASE, (HealthIndicator) this::mapDatabase)),
                placements().entrySet().stream().map(placement -> {
                    HealthIndicator indicator = () ->
                            server(placement.getKey(), placement.getValue().size());
                    return new Entry(placement.getKey(), indicator);
                }));
    }

    private Map<String, List<Integer>> placements() {
        ShardMap known = known();
        return known == null ? Map.of() : known.placements();
    }

    private @Nullable ShardMap known() {
        try {
            return router.map(map);
        } catch (SQLException unknown) {
            return null;
        }
    }

    private Health mapDatabase() {
        ShardMap known = known();
        Health.Builder health = known == null
                ? Health.down()
                : Health.up().withDetail("map", map).withDetail("generation", known.generation());
        try {
            store.generations();
        } catch (ShardMapException away) {
            health = known == null ? health : health.status(DEGRADED);
            health.withDetail("error", String.valueOf(away.getMessage()));
            return health.build();
        }
        if (known == null) {
            health.withDetail("error", "map must exist and be readable: map=" + map + "; see `shardmap map list`");
        }
        return health.build();
    }

    private Health server(String name, int virtualShards) {
        Health.Builder health = Health.up().withDetail("virtualShards", virtualShards);
        try {
            Server server = router.map(map).server(name);
            try (Connection connection = router.pools().open(server)) {
                if (!connection.isValid(VALID_SECONDS)) {
                    health.status(DEGRADED).withDetail("error", "connection is not valid");
                }
            }
        } catch (SQLException | ShardMapException away) {
            health.status(DEGRADED).withDetail("error", String.valueOf(away.getMessage()));
        }
        return health.build();
    }
}
