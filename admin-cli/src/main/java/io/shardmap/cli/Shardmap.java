package io.shardmap.cli;

import io.shardmap.cli.command.CommonOptions;
import io.shardmap.cli.command.CompletionCommand;
import io.shardmap.cli.command.DoctorCommand;
import io.shardmap.cli.command.ExplainCommand;
import io.shardmap.cli.command.HelpLayout;
import io.shardmap.cli.command.InitCommand;
import io.shardmap.cli.command.KeyCommand;
import io.shardmap.cli.command.MapCommand;
import io.shardmap.cli.command.MoveCommand;
import io.shardmap.cli.command.QueryCommand;
import io.shardmap.cli.command.SchemaCommand;
import io.shardmap.cli.command.ServerCommand;
import io.shardmap.cli.command.ShardCommand;
import io.shardmap.cli.command.TableCommand;
import io.shardmap.cli.process.ErrorReport;
import io.shardmap.cli.process.Surroundings;
import io.shardmap.cli.sandbox.SandboxCommand;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code shardmap} command. */
@Command(
        name = "shardmap",
        description = {
            "Spreads a database over many servers by a shard map.",
            "",
            "Environment, so that no password is ever on a command line:",
            "  SHARDMAP_MAP_URL               JDBC URL of the shard-map database",
            "  SHARDMAP_MAP_USER              its user; SHARDMAP_MAP_PASSWORD: its password",
            "  SHARDMAP_SERVER_USER           user of the servers; ..._PASSWORD: password",
            "  SHARDMAP_SERVER_<NAME>_USER    user of one server; ..._PASSWORD: password",
            "                                 (name in capitals, - as _)",
            "What is not set is left to the driver, which reads .pgpass."
        },
        versionProvider = Version.class,
        subcommands = {
            InitCommand.class,
            ServerCommand.class,
            MapCommand.class,
            SchemaCommand.class,
            TableCommand.class,
            ShardCommand.class,
            KeyCommand.class,
            MoveCommand.class,
            QueryCommand.class,
            ExplainCommand.class,
            DoctorCommand.class,
            SandboxCommand.class,
            CompletionCommand.class
        },
        footer = {
            "  shardmap sandbox --dir .shardmap --servers 3",
            "  shardmap init",
            "  shardmap server add bookdbshard0 --url jdbc:postgresql://db0/books",
            "  shardmap map create books --key-type string --function isbn-check-digit",
            "  shardmap shard assign --map books 0-10 --server bookdbshard0",
            "  shardmap key locate books 978-8-1130-1024-6",
            "  shardmap doctor"
        })
public final class Shardmap extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();

    @Option(names = "--version", versionHelp = true, description = "Prints the version and ends.")
    boolean version;

    private Shardmap() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Charset terminal = Charset.defaultCharset();
        Surroundings surroundings = new Surroundings(
                System.getenv(),
                new BufferedReader(new InputStreamReader(System.in, terminal)),
                // Data is UTF-8 whatever the locale says: JSON must be, and no character of a row may be lost.
                new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), false),
                new PrintWriter(new OutputStreamWriter(System.err, terminal), true),
                isTerminal());
        System.exit(run(surroundings, arguments));
    }

    /** From Java 22 on this relies on {@code -Djdk.console=java.base}, which the launcher sets. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        return System.console() != null;
    }

    /** Runs one command and returns its exit code. */
    public static int run(Surroundings surroundings, String... arguments) {
        int exit = commandLine(surroundings).execute(arguments);
        surroundings.out().flush();
        surroundings.err().flush();
        return exit;
    }

    /** Returns the command with all its verbs. */
    static CommandLine commandLine(Surroundings surroundings) {
        ErrorReport errors = new ErrorReport();
        return new CommandLine(new Shardmap(), new Commands(surroundings))
                .setOut(surroundings.out())
                .setErr(surroundings.err())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler(errors)
                .setParameterExceptionHandler(errors);
    }
}
