package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of servers. */
@Command(
        name = "server",
        description = "The servers that hold virtual shards.",
        subcommands = {
            ServerAdd.class,
            ServerUpgrade.class,
            ServerList.class,
            ServerShow.class,
            ServerDrainCommand.class
        },
        footer = {
            "  shardmap server add bookdbshard0 --url jdbc:postgresql://db0/books",
            "  shardmap server list",
            "  shardmap server drain bookdbshard2"
        })
public final class ServerCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
