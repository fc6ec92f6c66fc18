package io.shardmap.cli.command;

import io.shardmap.cli.connect.MapDatabase;
import io.shardmap.cli.process.ErrorReport;
import io.shardmap.cli.process.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that reads or changes the shard map. */
abstract class Verb extends HelpLayout implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec command;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    MapDatabase database;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Mixin
    CommonOptions common = new CommonOptions();

    @Override
    public final Integer call() throws Exception {
        return run();
    }

    /** Does the work and returns one of {@link ExitCodes}. */
    abstract int run() throws Exception;

    /** Prints what failed on one server, while others go on. */
    void failure(String server, String error) {
        ErrorReport.print(command.commandLine().getErr(), "server " + server + ": " + error, "STEP_FAILED");
    }

    /** Returns the refusal of arguments that do not fit together. */
    ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
