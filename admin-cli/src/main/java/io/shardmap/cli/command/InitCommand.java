package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.ShardMapSchema;
import javax.sql.DataSource;
import picocli.CommandLine.Command;

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
public final class InitCommand extends Change {
    private record Result(String url, int versionBefore, int version, boolean dryRun) {}

    @Override
    int run() {
        DataSource shardMap = database.dataSource();
        int before = ShardMapSchema.version(shardMap);
        if (!dryRun) {
            ShardMapSchema.migrate(shardMap);
        }
        int now = ShardMapSchema.version(shardMap);
        String state = before == now ? "is up to date" : "is ready";
        done(
                "shard-map database " + state + ": version " + now + " at " + database.url(),
                "would create or upgrade the shard-map tables: version " + before + " at " + database.url(),
                "shardMapDatabase",
                new Result(database.url(), before, now, dryRun),
                "shardmap server add NAME --url JDBC-URL");
        return ExitCodes.DONE;
    }
}
