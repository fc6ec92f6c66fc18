package io.shardmap.cli.command;

import io.shardmap.Server;
import io.shardmap.UnknownServerException;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.store.ShardMapStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one server. */
@Command(
        name = "show",
        description = "Shows a server and the virtual shards it holds, of all maps.",
        footer = "  shardmap server show bookdbshard0")
final class ServerShow extends Verb {
    @Parameters(paramLabel = "NAME", description = "The server.")
    private String name = "";

    private record Held(String map, List<Integer> virtualShards) {}

    private record Detail(
            String name,
            @Nullable String url,
            @Nullable String region,
            @Nullable String replicationUrl,
            List<Held> maps) {}

    @Override
    int run() {
        ShardMapStore store = database.store();
        Server server = store.servers().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UnknownServerException(name));
        List<Held> maps = new ArrayList<>();
        for (String map : store.mapNames()) {
            List<Integer> held = store.load(map).placements().getOrDefault(name, List.of());
            if (!held.isEmpty()) {
                maps.add(new Held(map, held));
            }
        }
        output.data()
                .one("server", new Detail(server.name(), server.url(), server.region(), server.replicationUrl(), maps));
        return ExitCodes.DONE;
    }
}
