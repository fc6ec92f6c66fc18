package io.shardmap.cli.command;

import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.output.Detail;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.schema.ServerOutcome;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compares the servers with the application's scripts and with each other. */
@Command(
        name = "status",
        description = {
            "Shows which of the application's Flyway scripts each server has, and changes nothing.",
            "The end is 3 when servers differ, and 1 when one does not answer."
        },
        footer = {
            "  shardmap schema status --locations filesystem:db/migration",
            "  shardmap schema status --locations filesystem:db/migration -o csv"
        })
final class SchemaStatus extends Verb {
    @Mixin
    private RolloutOptions options = new RolloutOptions();

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Row(
            String server,
            RolloutRow.State state,
            @Nullable String version,
            List<String> pending,
            @Detail @Nullable String error) {
        static Row of(ServerOutcome outcome) {
            return new Row(
                    outcome.server(),
                    RolloutRow.State.of(outcome),
                    outcome.after(),
                    outcome.pending(),
                    outcome.error());
        }
    }

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        try (ServerPools pools = logins.pools()) {
            List<ServerOutcome> outcomes = options.rollout(pools, null).status(options.servers(store));
            output.data()
                    .list("servers", Row.class, outcomes.stream().map(Row::of).toList());
            return judge(outcomes);
        }
    }

    private int judge(List<ServerOutcome> outcomes) {
        boolean unknown = false;
        for (ServerOutcome outcome : outcomes) {
            String error = outcome.error();
            if (error != null) {
                failure(outcome.server(), error);
                unknown = true;
            }
        }
        boolean differ = outcomes.stream()
                        .filter(ServerOutcome::isGood)
                        .map(outcome -> List.of(String.valueOf(outcome.after()), outcome.pending()))
                        .distinct()
                        .count()
                > 1;
        if (differ) {
            output.progress("servers differ");
        }
        if (outcomes.stream().anyMatch(outcome -> !outcome.pending().isEmpty())) {
            output.hint("shardmap schema migrate --locations ...");
        }
        if (differ) {
            return ExitCodes.DRIFT;
        }
        return unknown ? ExitCodes.FAILED : ExitCodes.DONE;
    }
}
