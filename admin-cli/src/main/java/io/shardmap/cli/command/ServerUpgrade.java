package io.shardmap.cli.command;

import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.UnknownServerException;
import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.place.ServerRegistration;
import io.shardmap.store.JdbcShardMapStore;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Upgrades Shardmap's objects on servers. */
@Command(
        name = "upgrade",
        description = {
            "Installs or upgrades Shardmap's own objects on servers: all, or those that are named.",
            "A server that fails does not stop the others; the end is then 5, or 1 when all failed."
        },
        footer = {"  shardmap server upgrade", "  shardmap server upgrade bookdbshard0 --dry-run"})
final class ServerUpgrade extends Verb {
    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Servers. Default: all.")
    private List<String> names = List.of();

    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    private boolean dryRun;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Row(String name, int objectsBefore, int objects) {}

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        List<Server> servers = store.servers();
        for (String name : names) {
            if (servers.stream().noneMatch(server -> server.name().equals(name))) {
                throw new UnknownServerException(name);
            }
        }
        List<Row> rows = new ArrayList<>();
        boolean failed = false;
        try (ServerPools pools = logins.pools()) {
            ServerRegistration registration = new ServerRegistration(store, pools);
            for (Server server : servers) {
                if (!names.isEmpty() && !names.contains(server.name())) {
                    continue;
                }
                try {
                    ServerRegistration.Found found = dryRun ? registration.check(server) : registration.upgrade(server);
                    rows.add(new Row(server.name(), found.installed(), dryRun ? found.installed() : found.needed()));
                } catch (ShardMapException failure) {
                    failed = true;
                    failure(server.name(), String.valueOf(failure.getMessage()));
                }
            }
        }
        output.data().list("servers", Row.class, rows);
        return failed ? (rows.isEmpty() ? ExitCodes.FAILED : ExitCodes.PARTIAL) : ExitCodes.DONE;
    }
}
