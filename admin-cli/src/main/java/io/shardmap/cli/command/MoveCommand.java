package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of moves. */
@Command(
        name = "move",
        description = "Moves of virtual shards between servers, without a lost write.",
        subcommands = {
            MovePlanCommand.class,
            MoveStart.class,
            MoveStatusCommand.class,
            MoveWait.class,
            MoveList.class,
            MoveResume.class,
            MoveCancel.class,
            MoveReverse.class,
            MoveComplete.class,
            MoveGuard.class
        },
        footer = {
            "  shardmap move plan --map books 6 --to bookdbshard0",
            "  shardmap move start --map books 6 --to bookdbshard0",
            "  shardmap move list --active",
            "  shardmap move reverse 7"
        })
public final class MoveCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
