package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of shard keys. */
@Command(
        name = "key",
        description = "Shard keys: the values that decide where a row lives.",
        subcommands = {KeyLocate.class},
        footer = {"  shardmap key locate books 978-8-1130-1024-6"})
public final class KeyCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
