package io.shardmap.cli.command;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Registers a table as split by a map. */
@Command(
        name = "add",
        description = {
            "Registers a table as split by a map, so that moves copy its rows and queries may read it.",
            "It must exist on every server, with an integer column NOT NULL that holds the virtual shard of each row."
        },
        footer = {
            "  shardmap table add --map books book --column check_digit",
            "  shardmap table add --map books sales.order_line --column check_digit --no-guard"
        })
final class TableAdd extends Change {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(paramLabel = "TABLE", description = "The table, with its schema if the search path does not find it.")
    private String table = "";

    @Option(
            names = "--column",
            required = true,
            paramLabel = "COLUMN",
            description = "The column that holds the number of each row's virtual shard.")
    private String column = "";

    @Option(
            names = "--no-guard",
            description =
                    "Installs no trigger. With it (PostgreSQL only) servers refuse rows of virtual shards they do not"
                            + " own, whoever writes them.")
    private boolean noGuard;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Result(String map, String table, String column, boolean guard, boolean added, boolean dryRun) {}

    @Override
    int run() {
        JdbcShardMapStore store = database.store();
        ShardMap map = store.load(choice.name(store));
        ShardedTable added = ShardedTable.parse(table, column);
        boolean there = map.tables().contains(added);
        // A table that is there already gets the guards that are missing, such as on servers that were added later.
        register(store, map, added);
        String what = "table " + added.qualifiedName() + " of map " + map.name() + ", split by column " + column;
        done(
                there ? what + ", is there already" : "added " + what,
                there ? what + ", is there already" : "would add " + what,
                "table",
                new Result(map.name(), added.qualifiedName(), column, !noGuard, !there && !dryRun, dryRun),
                "shardmap shard assign --map " + map.name() + " IDS --server NAME");
        return ExitCodes.DONE;
    }

    private void register(JdbcShardMapStore store, ShardMap map, ShardedTable added) {
        try (ServerPools pools = logins.pools()) {
            TableRegistration registration = new TableRegistration(store, pools);
            if (!dryRun) {
                registration.add(map.name(), added, !noGuard);
                return;
            }
            List<String> problems = registration.check(map.name(), added);
            if (!problems.isEmpty()) {
                throw new ShardMapException(
                        ErrorCode.INVALID_DEFINITION,
                        "table must be the same on every server: problems=" + problems.size() + "\n  "
                                + String.join("\n  ", problems));
            }
        }
    }
}
