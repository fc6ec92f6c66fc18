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
            "Repeating it changes nothing, or upgrades the objects. Asks before a known server gets another URL."
        },
        footer = {
            "  shardmap server add bookdbshard0 --url jdbc:postgresql://db0/books",
            "  shardmap server add bookdbshard1 --url jdbc:postgresql://db1/books --dry-run"
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

    @Option(names = "--region", paramLabel = "LABEL", description = "Where the server is.")
    private @Nullable String region;

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
            String product,
            String productVersion,
            int objectsBefore,
            int objects,
            boolean added,
            boolean dryRun) {}

    @Override
    int run() {
        Server server = new Server(name, url, region);
        JdbcShardMapStore store = database.store();
        Optional<Server> known = store.servers().stream()
                .filter(other -> other.name().equals(name))
                .findFirst();
        boolean redirects = known.isPresent() && !Objects.equals(known.get().url(), url);
        if (redirects && !dryRun && !consent.isGiven(redirection(known.get()))) {
            return ExitCodes.FAILED;
        }
        try (ServerPools pools = logins.pools()) {
            ServerRegistration registration = new ServerRegistration(store, pools);
            ServerRegistration.Found found = dryRun ? registration.check(server) : registration.add(server);
            boolean same = known.isPresent() && known.get().equals(server) && found.installed() == found.needed();
            String what = "server " + name + " (" + found.product() + " " + found.productVersion() + ") at " + url;
            done(
                    same ? what + " is there already" : (known.isEmpty() ? "added " : "changed ") + what,
                    same ? what + " is there already" : "would " + (known.isEmpty() ? "add " : "change ") + what,
                    "server",
                    new Result(
                            name,
                            url,
                            region,
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

    private String redirection(Server known) {
        return "Server " + name + " has the URL " + known.url() + ". Send all applications to " + url + " instead?";
    }
}
