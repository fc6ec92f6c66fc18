package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of shard maps. */
@Command(
        name = "map",
        description = "The shard maps: named key spaces, cut into virtual shards.",
        subcommands = {MapCreate.class, MapList.class, MapShow.class},
        footer = {
            "  shardmap map create books --key-type string --function isbn-check-digit",
            "  shardmap map show books"
        })
public final class MapCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
