package io.shardmap.cli.command;

import io.shardmap.Server;
import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.schema.RolloutListener;
import io.shardmap.migrate.schema.SchemaRollout;
import io.shardmap.migrate.schema.ServerOutcome;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings the application's scripts to all servers. */
@Command(
        name = "migrate",
        description = {
            "Applies the application's Flyway scripts to every server, several at a time.",
            "A server that fails does not stop the others; the end is then 5, and the same command goes on from there."
        },
        footer = {
            "  shardmap schema migrate --locations filesystem:db/migration",
            "  shardmap schema migrate --locations filesystem:db/migration --dry-run"
        })
final class SchemaMigrate extends Change {
    @Mixin
    private RolloutOptions options = new RolloutOptions();

    @Option(
            names = "--baseline",
            paramLabel = "VERSION",
            description =
                    "Servers that have tables but no history count as this version: only later scripts are applied."
                            + " Default: they fail.")
    private @Nullable String baseline;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        List<Server> servers = options.servers(store);
        try (ServerPools pools = logins.pools()) {
            SchemaRollout rollout = options.rollout(pools, baseline).withListener(new Progress());
            List<ServerOutcome> outcomes = dryRun ? rollout.dryRun(servers) : rollout.migrate(servers);
            output.data()
                    .list(
                            "servers",
                            RolloutRow.class,
                            outcomes.stream().map(RolloutRow::of).toList());
            long failed = outcomes.stream().filter(outcome -> !outcome.isGood()).count();
            if (failed == 0) {
                if (!dryRun) {
                    output.hint("shardmap table add TABLE --column COLUMN");
                }
                return ExitCodes.DONE;
            }
            boolean nothing = outcomes.stream().allMatch(outcome -> !outcome.isGood() && outcome.applied() == 0);
            output.progress(failed + " of " + servers.size() + " servers failed");
            return nothing || dryRun ? ExitCodes.FAILED : ExitCodes.PARTIAL;
        }
    }

    /** Says at once what failed, and what is finished. */
    private final class Progress implements RolloutListener {
        @Override
        public void finished(ServerOutcome outcome) {
            String error = outcome.error();
            if (error != null) {
                failure(outcome.server(), error);
            } else if (!dryRun) {
                output.progress(outcome.server() + ": " + outcome.applied() + " scripts applied, version "
                        + (outcome.after() == null ? "none" : outcome.after()));
            }
        }
    }
}
