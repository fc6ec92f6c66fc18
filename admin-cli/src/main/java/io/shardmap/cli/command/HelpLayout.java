package io.shardmap.cli.command;

import picocli.CommandLine.Command;

/** How the help of every command looks. Each adds a description, and examples as its footer. */
@Command(
        descriptionHeading = "%n",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:done",
            "  1:failed",
            "  2:wrong command line, or a question that nobody could answer",
            "  3:drift, or a verification that failed",
            "  4:the time to wait is over, the work goes on",
            "  5:done in part, the same command again does the rest",
            "130:interrupted"
        },
        footerHeading = "%nExamples:%n",
        abbreviateSynopsis = true,
        requiredOptionMarker = '*',
        sortOptions = false)
public abstract class HelpLayout {}
