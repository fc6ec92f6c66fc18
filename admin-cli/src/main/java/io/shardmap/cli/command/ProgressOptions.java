package io.shardmap.cli.command;

import io.shardmap.cli.process.Surroundings;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that says how the progress of moves is shown on standard error. */
public final class ProgressOptions {
    private final Surroundings surroundings;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    /** How progress is shown. */
    enum Mode {
        BAR,
        JSON,
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--progress",
            paramLabel = "MODE",
            order = 902,
            description =
                    "How progress is shown on standard error: ${COMPLETION-CANDIDATES}. Default: a bar on a terminal,"
                            + " else one JSON document per line.")
    private @Nullable Mode mode;

    /** Made by the command line, once per command. */
    public ProgressOptions(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Returns what shows progress. */
    MoveDisplay display(OutputOptions output) {
        Mode chosen = mode == null ? (surroundings.terminal() ? Mode.BAR : Mode.JSON) : mode;
        if (output.isQuiet() || chosen == Mode.NONE) {
            return new MoveDisplay.Nothing();
        }
        return chosen == Mode.BAR
                ? new MoveBar(command.commandLine().getErr())
                : new MoveLines(command.commandLine().getErr());
    }
}
