package io.shardmap.migrate.schema;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.pool.ServerPools;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;

/**
 * Brings the application's Flyway scripts to all servers, several at a time: what {@code shardmap schema status} and {@code schema
 * migrate} do. A server that fails does not keep the others from going on; the outcome says for each how far it came. The history is an
 * ordinary Flyway one, so a server can also be migrated by Flyway itself. Immutable, safe for use by many threads.
 */
public final class SchemaRollout {
    private final ServerPools pools;
    private final List<String> locations;
    private final int parallelism;
    private final Consumer<FluentConfiguration> flyway;
    private final RolloutListener listener;

    private SchemaRollout(
            ServerPools pools,
            List<String> locations,
            int parallelism,
            Consumer<FluentConfiguration> flyway,
            RolloutListener listener) {
        this.pools = pools;
        this.locations = List.copyOf(locations);
        this.parallelism = parallelism;
        this.flyway = flyway;
        this.listener = listener;
    }

    /**
     * Creates a roll-out of the scripts at Flyway locations, such as {@code filesystem:db/migration} or {@code classpath:db/migration};
     * four servers at a time, {@code clean} disabled.
     *
     * @param pools connections to the servers as a user who may change the application's schema; Flyway takes up to two of each
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when there is no location
     */
    public static SchemaRollout of(ServerPools pools, String... locations) {
        if (locations.length == 0) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "roll-out must have a location of scripts: locations=[]");
        }
        return new SchemaRollout(pools, Arrays.asList(locations), 4, configuration -> {}, RolloutListener.NONE);
    }

    /**
     * Returns a copy that works on more or fewer servers at a time.
     *
     * @param servers how many, from 1
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when it is less
     */
    public SchemaRollout withParallelism(int servers) {
        if (servers < 1) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "parallelism must be >= 1: parallelism=" + servers);
        }
        return new SchemaRollout(pools, locations, servers, flyway, listener);
    }

    /** Returns a copy that changes Flyway's settings (schemas, table, placeholders, base line); called once per server and run. */
    public SchemaRollout withFlyway(Consumer<FluentConfiguration> customizer) {
        return new SchemaRollout(pools, locations, parallelism, customizer, listener);
    }

    /** Returns a copy that tells a listener how it proceeds. */
    public SchemaRollout withListener(RolloutListener told) {
        return new SchemaRollout(pools, locations, parallelism, flyway, told);
    }

    /** Returns how far each server is; changes nothing, not even the history table. */
    public List<ServerOutcome> status(List<Server> servers) {
        return onAll(servers, this::status);
    }

    /** Lists the scripts that {@link #migrate} would apply to each server, after checking those applied; changes nothing. */
    public List<ServerOutcome> dryRun(List<Server> servers) {
        return onAll(servers, server -> {
            ServerOutcome status = status(server, flyway(server));
            var validated = configuration(server)
                    .ignoreMigrationPatterns("*:pending", "*:future")
                    .load()
                    .validateWithResult();
            return validated.validationSuccessful
                    ? status
                    : failed(status, status.before(), 0, String.valueOf(validated.getAllErrorMessages()));
        });
    }

    /**
     * Applies the scripts to every server. Repeating it goes on where it stopped.
     *
     * @return one outcome per server, in the order given; look at {@link ServerOutcome#isGood()} of each
     */
    public List<ServerOutcome> migrate(List<Server> servers) {
        return onAll(servers, this::migrate);
    }

    private ServerOutcome status(Server server) {
        return status(server, flyway(server));
    }

    private static ServerOutcome status(Server server, Flyway on) {
        String version = version(on.info().current());
        List<String> pending = Arrays.stream(on.info().pending())
                .map(script ->
                        (script.getVersion() == null ? "R" : script.getVersion()) + " " + script.getDescription())
                .toList();
        String failed = Arrays.stream(on.info().all())
                .filter(script -> script.getState().isFailed())
                .map(script -> "script must have run to its end: version=" + script.getVersion() + ", description="
                        + script.getDescription()
                        + "; undo what it left behind, then run Flyway's repair on this server")
                .findFirst()
                .orElse(null);
        return new ServerOutcome(server.name(), version, version, 0, pending, failed);
    }

    private ServerOutcome migrate(Server server) {
        Flyway on = flyway(server);
        ServerOutcome before = status(server, on);
        try {
            MigrateResult result = on.migrate();
            ServerOutcome after = status(server, on);
            return new ServerOutcome(
                    server.name(),
                    before.before(),
                    after.after(),
                    result.migrationsExecuted,
                    after.pending(),
                    after.error());
        } catch (FlywayException failure) {
            ServerOutcome after = status(server, on);
            return failed(
                    after,
                    before.before(),
                    Math.max(0, before.pending().size() - after.pending().size()),
                    String.valueOf(failure.getMessage()));
        }
    }

    private static ServerOutcome failed(ServerOutcome now, @Nullable String before, int applied, String error) {
        return new ServerOutcome(now.server(), before, now.after(), applied, now.pending(), error);
    }

    private static @Nullable String version(@Nullable MigrationInfo current) {
        return current == null || current.getVersion() == null
                ? null
                : current.getVersion().getVersion();
    }

    private Flyway flyway(Server server) {
        return configuration(server).load();
    }

    private FluentConfiguration configuration(Server server) {
        FluentConfiguration configuration = Flyway.configure()
                .dataSource(pools.pool(server))
                .locations(locations.toArray(String[]::new))
                .cleanDisabled(true);
        flyway.accept(configuration);
        return configuration;
    }

    private List<ServerOutcome> onAll(List<Server> servers, Function<Server, ServerOutcome> work) {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(parallelism, servers.size())));
        try {
            List<Callable<ServerOutcome>> tasks = new ArrayList<>();
            servers.forEach(server -> tasks.add(() -> on(server, work)));
            List<ServerOutcome> outcomes = new ArrayList<>();
            for (Future<ServerOutcome> done : threads.invokeAll(tasks)) {
                outcomes.add(done.get());
            }
            return outcomes;
        } catch (InterruptedException | ExecutionException stopped) {
            if (stopped instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ShardMapException(
                    ErrorCode.STEP_FAILED, "roll-out must not be stopped: look at its status, then repeat it", stopped);
        } finally {
            threads.shutdownNow();
        }
    }

    private ServerOutcome on(Server server, Function<Server, ServerOutcome> work) {
        listener.started(server.name());
        ServerOutcome outcome;
        try {
            outcome = work.apply(server);
        } catch (FlywayException | ShardMapException failure) {
            outcome = new ServerOutcome(server.name(), null, null, 0, List.of(), String.valueOf(failure.getMessage()));
        }
        listener.finished(outcome);
        return outcome;
    }
}
