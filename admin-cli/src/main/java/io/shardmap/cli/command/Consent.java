package io.shardmap.cli.command;

import io.shardmap.cli.process.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands that destroy something: they ask first. */
public final class Consent {
    private final Surroundings surroundings;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = {"-y", "--yes"},
            order = 801,
            description = "Does not ask. Needed where nobody can be asked.")
    private boolean yes;

    /** Made by the command line, once per command. */
    public Consent(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * Returns whether a person, or {@code --yes}, agrees.
     *
     * @throws ParameterException when nobody can be asked
     */
    public boolean isGiven(String question) {
        if (yes) {
            return true;
        }
        PrintWriter err = surroundings.err();
        if (!surroundings.terminal()) {
            throw new ParameterException(
                    command.commandLine(), question + " There is no terminal to ask on: give --yes to agree.");
        }
        err.print(question + " [y/N] ");
        err.flush();
        String answer;
        try {
            answer = surroundings.in().readLine();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        boolean agreed =
                answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        if (!agreed) {
            err.println("not agreed: nothing was changed");
        }
        return agreed;
    }
}
