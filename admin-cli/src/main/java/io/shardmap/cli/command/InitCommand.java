package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.ShardMapSchema;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prepares a database to hold shard maps. */
@Command(
        name = "init",
        description = {
            "Creates or upgrades the tables of the shard-map database.",
            "Repeating it changes nothing. Everything else in the database is left alone."
        },
        footer = {
            "  shardmap init --map-url jdbc:postgresql://localhost/shardmap",
            "  SHARDMAP_MAP_URL=jdbc:postgresql://localhost/shardmap shardmap init --dry-run"
        })
public final class InitCommand extends Verb {
    @Mixin
    private DryRun dryRun = new DryRun();

    private record Result(String url, int versionBefore, int version, boolean dryRun) {}

    @Override
    int run() {
        DataSource shardMap = database.dataSource();
        int before = ShardMapSchema.version(shardMap);
        if (!dryRun.isOn()) {
            ShardMapSchema.migrate(shardMap);
        }
        int now = ShardMapSchema.version(shardMap);
        String url = database.url();
        output.data()
                .done(
                        dryRun.sentence(
                                before == now
                                        ? "shard-map database is up to date: version " + now + " at " + url
                                        : "shard-map database is ready: version " + now + " at " + url,
                                "would create or upgrade the shard-map tables: version " + before + " at " + url),
                        "shardMapDatabase",
                        new Result(url, before, now, dryRun.isOn()));
        output.hint("shardmap server add NAME --url JDBC-URL");
        return ExitCodes.DONE;
    }
}
