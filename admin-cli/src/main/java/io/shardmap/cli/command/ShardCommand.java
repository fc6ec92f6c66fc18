package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of virtual shards. */
@Command(
        name = "shard",
        description = "The virtual shards of a map and the servers that hold them.",
        subcommands = {ShardAssign.class, ShardList.class, ShardRepair.class},
        footer = {
            "  shardmap shard assign --map books 0,1,2,9 --server bookdbshard0",
            "  shardmap shard list --map books"
        })
public final class ShardCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
