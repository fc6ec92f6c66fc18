package io.shardmap.cli.command;

import io.shardmap.Server;
import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.store.JdbcShardMapStore;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a server, or changes one. */
@Command(
        name = "add",
        description = {
            "Installs Shardmap's objects on a server, and adds it to the shard-map database.",
            "Repeating it changes nothing, or upgrades the objects. Asks before a known server gets another URL, and before"
                    + " a server that was restored, or is another one, is accepted (`shardmap doctor` finds those)."
        },
        footer = {
            "  shardmap server add bookdbshard0 --url jdbc:postgresql://db0/books",
            "  shardmap server add bookdbshard1 --url jdbc:postgresql://db1/books --dry-run",
            "  shardmap server add bookdbshard1 --url jdbc:postgresql://proxy:6432/books \\",
            "      --replication-url jdbc:postgresql://db1.internal/books"
        })
final class ServerAdd extends Change {
    @Parameters(paramLabel = "NAME", description = "Name of the server: lower-case letters, digits, _ and -.")
    private String name = "";

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "JDBC URL of the server, without a password. All applications use it.")
    private String url = "";

    @Option(names = "--region", paramLabel = "LABEL", description = "Where the server is. Default: as it is known.")
    private @Nullable String region;

    @Option(
            names = "--replication-url",
            paramLabel = "URL",
            description =
                    "JDBC URL by which the other servers reach this one when a virtual shard moves online, without"
                            + " a user or password. Default: what --url says.")
    private @Nullable String replicationUrl;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Consent consent;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Result(
            String name,
            @Nullable String url,
            @Nullable String region,
            @Nullable String replicationUrl,
            String product,
            String productVersion,
            int objectsBefore,
            int objects,
            boolean added,
            boolean dryRun) {}

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        Optional<Server> known = store.servers().stream()
                .filter(other -> other.name().equals(name))
                .findFirst();
        Server server = new Server(
                name,
                url,
                given(region, known.map(Server::region).orElse(null)),
                given(replicationUrl, known.map(Server::replicationUrl).orElse(null)));
        boolean redirects = known.isPresent() && !Objects.equals(known.get().url(), url);
        if (redirects && !dryRun && !consent.isGiven(redirection(known.get()))) {
            return ExitCodes.FAILED;
        }
        try (ServerPools pools = logins.pools()) {
            ServerRegistration registration = new ServerRegistration(store, pools);
            ServerRegistration.Found found = registration.check(server);
            if (!dryRun && !redirects && found.isReplaced() && !consent.isGiven(replacement(found))) {
                return ExitCodes.FAILED;
            }
            if (!dryRun) {
                found = registration.add(server);
            }
            boolean same = known.isPresent()
                    && known.get().equals(server)
                    && found.installed() == found.needed()
                    && !found.isReplaced();
            String what = "server " + name + " (" + found.product() + " " + found.productVersion() + ") at " + url;
            done(
                    same ? what + " is there already" : (known.isEmpty() ? "added " : "changed ") + what,
                    same ? what + " is there already" : "would " + (known.isEmpty() ? "add " : "change ") + what,
                    "server",
                    new Result(
                            name,
                            url,
                            server.region(),
                            server.replicationUrl(),
                            found.product(),
                            found.productVersion(),
                            found.installed(),
                            dryRun ? found.installed() : found.needed(),
                            known.isEmpty() && !dryRun,
                            dryRun),
                    store.mapNames().isEmpty()
                            ? "shardmap map create NAME --key-type TYPE --function FUNCTION"
                            : "shardmap shard assign IDS --server " + name);
            return ExitCodes.DONE;
        }
    }

    /** What is not given stays as it is; an empty text takes it away. */
    private static @Nullable String given(@Nullable String option, @Nullable String known) {
        return option == null ? known : option.isEmpty() ? null : option;
    }

    private String replacement(ServerRegistration.Found found) {
        return "Server " + name + " was " + found.remembered() + " and is " + found.identity()
                + " now, so it may have forgotten what it acknowledged. Accept it?";
    }

    private String redirection(Server known) {
        return "Server " + name + " has the URL " + known.url() + ". Send all applications to " + url + " instead?";
    }
}
