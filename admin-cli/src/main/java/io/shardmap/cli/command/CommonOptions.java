package io.shardmap.cli.command;

import picocli.CommandLine.Option;

/** Options of every command. */
public final class CommonOptions {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = 1_000,
            description = "Prints this help and ends.")
    boolean help;

    /** Read by {@link io.shardmap.cli.process.ErrorReport}. */
    @Option(names = "--stacktrace", order = 1_001, description = "Shows where in the program an error happened.")
    boolean stacktrace;
}
