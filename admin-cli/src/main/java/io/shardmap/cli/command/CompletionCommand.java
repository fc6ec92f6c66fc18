package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script that completes command lines. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash and zsh.",
        footer = {"  source <(shardmap completion)", "  shardmap completion > /etc/bash_completion.d/shardmap"})
public final class CompletionCommand extends HelpLayout implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Mixin
    CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        CommandLine root = command.root().commandLine();
        root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
        root.getOut().flush();
        return ExitCodes.DONE;
    }
}
