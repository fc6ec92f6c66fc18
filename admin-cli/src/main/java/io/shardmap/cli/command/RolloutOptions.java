package io.shardmap.cli.command;

import io.shardmap.Server;
import io.shardmap.UnknownServerException;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.schema.SchemaRollout;
import io.shardmap.store.ShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which scripts go to which servers. */
final class RolloutOptions {
    @Option(
            names = "--locations",
            required = true,
            split = ",",
            paramLabel = "LOCATION",
            description = "Where the Flyway scripts are: filesystem:DIR or classpath:PACKAGE; several with commas.")
    private List<String> locations = List.of();

    @Option(names = "--server", paramLabel = "NAME", description = "Only this server; may be repeated. Default: all.")
    private List<String> names = List.of();

    /**
     * Returns the roll-out; locations that are missing fail, instead of counting as empty.
     *
     * @param baseline version that tables without a history count as, or null to refuse them
     */
    SchemaRollout rollout(ServerPools pools, @Nullable String baseline) {
        return SchemaRollout.of(pools, locations.toArray(String[]::new)).withFlyway(flyway -> {
            flyway.failOnMissingLocations(true);
            if (baseline != null) {
                flyway.baselineOnMigrate(true).baselineVersion(baseline);
            }
        });
    }

    /** Returns the servers chosen. */
    List<Server> servers(ShardMapStore store) {
        List<Server> all = store.servers();
        if (names.isEmpty()) {
            return all;
        }
        return names.stream()
                .map(name -> all.stream()
                        .filter(server -> server.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new UnknownServerException(name)))
                .toList();
    }
}
