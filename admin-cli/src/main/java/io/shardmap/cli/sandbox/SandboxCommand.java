package io.shardmap.cli.sandbox;

import io.shardmap.cli.command.CommonOptions;
import io.shardmap.cli.command.HelpLayout;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs real servers on this machine until it is interrupted. */
@Command(
        name = "sandbox",
        description = {
            "Starts a shard-map database and some servers, all real PostgreSQL, on loopback.",
            "Runs until interrupted. The directory keeps their data and ports for the next start; sandbox.json and"
                    + " sandbox.env in it are there while all servers accept connections. Anybody on this machine can"
                    + " connect, so keep no secrets there."
        },
        footer = {
            "  shardmap sandbox --dir .shardmap --servers 3 &",
            "  source .shardmap/sandbox.env",
            "  shardmap init"
        })
public final class SandboxCommand extends HelpLayout implements Callable<Integer> {
    private static final String SHARD_MAP = "shardmap";
    private static final int MOST_SERVERS = 32;
    private static final int LAST_PORT = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Where the data is kept; created if missing.")
    private Path directory = Path.of("");

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many servers, besides the shard-map database: 1 to " + MOST_SERVERS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int servers = 3;

    @Option(
            names = "--prefix",
            paramLabel = "NAME",
            defaultValue = "bookdbshard",
            description = "Names of the servers, before their number. Default: ${DEFAULT-VALUE}.")
    private String prefix = "bookdbshard";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description =
                    "Port of the shard-map database; the servers take the ones after it. Default: free ports, the same"
                            + " at every start.")
    private int port;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress on standard error.")
    private boolean quiet;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> names = names();
        try (SandboxDirectory sandbox = SandboxDirectory.open(directory)) {
            say("starting " + names.size() + " servers in " + directory + " (the first time takes longer)");
            try (PostgresServers running = PostgresServers.builder(names.toArray(String[]::new))
                    .dataDirectory(directory)
                    .ports(ports(sandbox, names))
                    .start()) {
                announce(sandbox, running);
                Thread atExit = new Thread(() -> {
                    say("stopping the servers");
                    sandbox.retract();
                });
                Runtime.getRuntime().addShutdownHook(atExit);
                // Ended by an interrupt of this thread, or with the process; the testkit then stops the servers.
                new CountDownLatch(1).await();
            }
        }
        return ExitCodes.DONE;
    }

    private List<String> names() {
        if (servers < 1 || servers > MOST_SERVERS) {
            throw new ParameterException(
                    command.commandLine(), "--servers must be 1 to " + MOST_SERVERS + ": servers=" + servers);
        }
        if (port < 0 || port + servers > LAST_PORT) {
            throw new ParameterException(
                    command.commandLine(),
                    "ports must be 1 to " + LAST_PORT + ": first=" + port + ", last=" + (port + servers));
        }
        List<String> names = new ArrayList<>(List.of(SHARD_MAP));
        for (int number = 0; number < servers; number++) {
            names.add(prefix + number);
        }
        return names;
    }

    private int[] ports(SandboxDirectory sandbox, List<String> names) throws IOException {
        int[] ports = new int[names.size()];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = port == 0 ? sandbox.keptPort(names.get(i)) : port + i;
        }
        return ports;
    }

    private void announce(SandboxDirectory sandbox, PostgresServers running) throws IOException {
        List<SandboxDirectory.Database> databases = running.all().stream()
                .map(server -> new SandboxDirectory.Database(server.name(), server.jdbcUrl(), server.user()))
                .toList();
        for (PostgresServer server : running) {
            sandbox.keepPort(server.name(), server.port());
            say(String.format(Locale.ROOT, "  %-" + (prefix.length() + 2) + "s  %s", server.name(), server.jdbcUrl()));
        }
        sandbox.announce(databases.get(0), databases.subList(1, databases.size()));
        PrintWriter out = command.commandLine().getOut();
        SandboxDirectory.exports(databases.get(0), databases.get(1)).forEach(out::println);
        out.flush();
        say("ready; in another terminal: source " + directory.resolve(SandboxDirectory.ENVIRONMENT)
                + " && shardmap init");
        say("stop with Ctrl-C");
    }

    private void say(String line) {
        if (!quiet) {
            PrintWriter err = command.commandLine().getErr();
            err.println(line);
            err.flush();
        }
    }
}
