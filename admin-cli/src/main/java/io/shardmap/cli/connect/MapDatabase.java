package io.shardmap.cli.connect;

import io.shardmap.Server;
import io.shardmap.cli.process.Surroundings;
import io.shardmap.jdbc.pool.Credentials;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.store.JdbcShardMapStore;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say where the shard-map database is. */
public final class MapDatabase {
    private static final String URL = "SHARDMAP_MAP_URL";

    private final Surroundings surroundings;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--map-url",
            paramLabel = "URL",
            order = 700,
            description = "JDBC URL of the shard-map database, without a password. Default: $" + URL + ".")
    private @Nullable String url;

    @Option(
            names = "--map-password-file",
            paramLabel = "FILE",
            order = 701,
            description = "Holds its password. Default: $SHARDMAP_MAP_PASSWORD, or what the driver finds.")
    private @Nullable Path passwordFile;

    /** Made by the command line, once per command. */
    public MapDatabase(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Returns the store; nothing is connected before it is used. */
    public JdbcShardMapStore store() {
        return new JdbcShardMapStore(dataSource());
    }

    /** Returns connections to the shard-map database. */
    public DataSource dataSource() {
        String password = passwordFile == null
                ? surroundings.environment().get("SHARDMAP_MAP_PASSWORD")
                : PasswordFile.read(command.commandLine(), "--map-password-file", passwordFile);
        return new DriverDataSource(
                url(), new Credentials(surroundings.environment().get("SHARDMAP_MAP_USER"), password));
    }

    /** Returns the URL, which holds no password. */
    public String url() {
        String chosen = url == null ? surroundings.environment().get(URL) : url;
        if (chosen == null || chosen.isBlank()) {
            throw new ParameterException(
                    command.commandLine(),
                    "shard-map database must be named: give --map-url, or set " + URL
                            + " (`shardmap sandbox` starts one to try)");
        }
        // A server's URL obeys the same rules: a JDBC URL of a known product, without a password.
        Server shardMap = new Server("shard-map", chosen);
        ServerDialect.of(chosen);
        return String.valueOf(shardMap.url());
    }
}
