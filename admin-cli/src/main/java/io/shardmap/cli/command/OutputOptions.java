package io.shardmap.cli.command;

import io.shardmap.cli.output.Output;
import io.shardmap.cli.output.OutputFormat;
import java.io.PrintWriter;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of commands that print something: data on standard output, what accompanies it on standard error. */
public final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            order = 900,
            defaultValue = "table",
            description = "How data is printed: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = {"-q", "--quiet"},
            order = 901,
            description = "No progress and no hints on standard error.")
    private boolean quiet;

    /** Returns where the result goes. */
    public Output data() {
        return format.to(command.commandLine().getOut(), Ansi.AUTO.enabled());
    }

    /** Returns how data is printed. */
    OutputFormat format() {
        return format;
    }

    /** Returns whether only data is wanted. */
    boolean isQuiet() {
        return quiet;
    }

    /** Names what a person would do next. */
    public void hint(String next) {
        note("next: " + next);
    }

    /** Adds what only a person would want to know. */
    public void note(String line) {
        if (format == OutputFormat.TABLE) {
            progress(line);
        }
    }

    /** Says how far the work is. */
    public void progress(String line) {
        if (!quiet) {
            PrintWriter err = command.commandLine().getErr();
            err.println(line);
            err.flush();
        }
    }
}
