package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveMethod;
import io.shardmap.migrate.move.MoveOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that choose how a virtual shard moves, and whether it can be taken back. */
public final class MethodChoice {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            converter = MethodNames.class,
            completionCandidates = MethodNames.class,
            description = "portable or online. Default: online with --reversible, else portable.")
    private @Nullable MoveMethod method;

    @Option(
            names = "--source-url",
            paramLabel = "URL",
            description = "Online method: JDBC URL of the old server as the new one reaches it, without a password."
                    + " Default: its replication URL in the map, else its URL.")
    private @Nullable String sourceUrl;

    @Option(
            names = "--reversible",
            description =
                    "Online method: keeps a way back. A stream brings what is written on the new server to the old"
                            + " one, and the move waits for `shardmap move reverse` or `shardmap move complete`.")
    private boolean reversible;

    /**
     * Returns the options of a move.
     *
     * @throws ParameterException when the method chosen keeps no way back
     */
    MoveOptions options(MoveSettings settings) {
        if (reversible && method == MoveMethod.PORTABLE) {
            throw new ParameterException(
                    command.commandLine(),
                    "a way back is kept by the online method only: give --method online with --reversible");
        }
        MoveMethod otherwise = reversible ? MoveMethod.ONLINE : MoveMethod.PORTABLE;
        MoveOptions options = settings.options(method == null ? otherwise : method, sourceUrl);
        return reversible ? options.withOnline(options.online().withReversible(true)) : options;
    }
}
