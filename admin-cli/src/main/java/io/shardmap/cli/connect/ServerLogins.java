package io.shardmap.cli.connect;

import io.shardmap.Server;
import io.shardmap.cli.process.Surroundings;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.pool.ServerPools;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that say with which user and password servers are asked. */
public final class ServerLogins implements Credentials.Provider {
    private static final String PREFIX = "SHARDMAP_SERVER_";

    private final Surroundings surroundings;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--server-password-file",
            paramLabel = "FILE",
            order = 702,
            description = "Holds the password of the servers. Default: $SHARDMAP_SERVER_<NAME>_PASSWORD, then"
                    + " $SHARDMAP_SERVER_PASSWORD, or what the driver finds.")
    private @Nullable Path passwordFile;

    /** Made by the command line, once per command. */
    public ServerLogins(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Returns connections to the servers, made when they are needed; the caller closes them. */
    public ServerPools pools() {
        return new ServerPools(null, this, config -> {});
    }

    @Override
    public Credentials of(Server server) {
        String password = passwordFile == null
                ? variable(server, "PASSWORD")
                : PasswordFile.read(command.commandLine(), "--server-password-file", passwordFile);
        return new Credentials(variable(server, "USER"), password);
    }

    private @Nullable String variable(Server server, String suffix) {
        String name = server.name().toUpperCase(Locale.ROOT).replace('-', '_');
        String ofServer = surroundings.environment().get(PREFIX + name + "_" + suffix);
        return ofServer == null ? surroundings.environment().get(PREFIX + suffix) : ofServer;
    }
}
