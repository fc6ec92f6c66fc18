package io.shardmap.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verbs of the application's schema. */
@Command(
        name = "schema",
        description = "The application's own tables, brought to all servers by Flyway scripts.",
        subcommands = {SchemaMigrate.class, SchemaStatus.class},
        footer = {
            "  shardmap schema migrate --locations filesystem:db/migration",
            "  shardmap schema status --locations filesystem:db/migration"
        })
public final class SchemaCommand extends HelpLayout {
    @Mixin
    CommonOptions common = new CommonOptions();
}
