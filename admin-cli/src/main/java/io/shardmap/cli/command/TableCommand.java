package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of tables. */
@Command(
        name = "table",
        description =
                "The tables whose rows are split by virtual shard, and those that every server has a full copy of.",
        subcommands = {TableAdd.class, TableList.class},
        footer = {"  shardmap table add --map books book --column check_digit", "  shardmap table list --map books"})
public final class TableCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
