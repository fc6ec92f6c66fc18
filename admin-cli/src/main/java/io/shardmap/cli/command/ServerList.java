package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists the servers. */
@Command(
        name = "list",
        description = "Lists the servers, whether they hold virtual shards or not.",
        footer = {"  shardmap server list", "  shardmap server list -o json | jq -r '.servers[].url'"})
final class ServerList extends Verb {
    @Override
    int run() {
        List<ServerRow> servers =
                database.store().servers().stream().map(ServerRow::of).toList();
        output.data().list("servers", ServerRow.class, servers);
        if (servers.isEmpty()) {
            output.hint("shardmap server add NAME --url JDBC-URL");
        }
        return ExitCodes.DONE;
    }
}
