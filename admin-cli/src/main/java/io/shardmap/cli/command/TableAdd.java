package io.shardmap.cli.command;

import io.shardmap.ReferenceTable;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.place.ReferenceRegistration;
import io.shardmap.migrate.place.TableRegistration;
import io.shardmap.store.JdbcShardMapStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Registers a table as split by a map, or as one that every server has a full copy of. */
@Command(
        name = "add",
        description = {
            "Registers a table as split by a map, so that moves copy its rows and queries may read it.",
            "It must exist on every server, with an integer column NOT NULL that holds the virtual shard of each row.",
            "With --reference it is one that every server has a full copy of: the same columns, and a primary key."
        },
        footer = {
            "  shardmap table add --map books book --column check_digit",
            "  shardmap table add --map books sales.order_line --column check_digit --no-guard",
            "  shardmap table add --map books language --reference"
        })
final class TableAdd extends Change {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(paramLabel = "TABLE", description = "The table, with its schema if the search path does not find it.")
    private String table = "";

    @Option(
            names = "--column",
            paramLabel = "COLUMN",
            description = "The column that holds the number of each row's virtual shard.")
    private @Nullable String column;

    @Option(names = "--reference", description = "Every server has a full copy of the table; its rows are not split.")
    private boolean reference;

    @Option(
            names = "--no-guard",
            description =
                    "Installs no trigger. With it (PostgreSQL only) servers refuse rows of virtual shards they do not"
                            + " own, whoever writes them.")
    private boolean noGuard;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    private record Result(
            String map,
            String table,
            String kind,
            @Nullable String column,
            boolean guard,
            boolean added,
            boolean dryRun) {}

    @Override
    int run() {
        if (reference == (column != null) || (reference && noGuard)) {
            throw wrong("give --column COLUMN, or --reference without --column and --no-guard");
        }
        JdbcShardMapStore store = database.store();
        ShardMap map = store.load(choice.name(store));
        if (column == null) {
            addReference(store, map);
        } else {
            addSharded(store, map, column);
        }
        return ExitCodes.DONE;
    }

    private void addReference(JdbcShardMapStore store, ShardMap map) {
        ReferenceTable added = ReferenceTable.parse(table);
        boolean there = map.referenceTables().contains(added);
        try (ServerPools pools = logins.pools()) {
            ReferenceRegistration registration = new ReferenceRegistration(store, pools);
            if (dryRun) {
                registration.require(map.name(), added);
            } else {
                registration.add(map.name(), added);
            }
        }
        report(map, "reference table " + added.qualifiedName() + " of map " + map.name(), there, "shardmap table list");
    }

    private void addSharded(JdbcShardMapStore store, ShardMap map, String shardColumn) {
        ShardedTable added = ShardedTable.parse(table, shardColumn);
        boolean there = map.tables().contains(added);
        // A table that is there already gets the guards that are missing, such as on servers that were added later.
        register(store, map, added);
        report(
                map,
                "table " + added.qualifiedName() + " of map " + map.name() + ", split by column " + shardColumn,
                there,
                "shardmap shard assign --map " + map.name() + " IDS --server NAME");
    }

    private void report(ShardMap map, String what, boolean there, String next) {
        done(
                there ? what + ", is there already" : "added " + what,
                there ? what + ", is there already" : "would add " + what,
                "table",
                new Result(
                        map.name(),
                        table,
                        reference ? TableRow.REFERENCE : TableRow.SHARDED,
                        column,
                        !reference && !noGuard,
                        !there && !dryRun,
                        dryRun),
                next);
    }

    private void register(JdbcShardMapStore store, ShardMap map, ShardedTable added) {
        try (ServerPools pools = logins.pools()) {
            TableRegistration registration = new TableRegistration(store, pools);
            if (dryRun) {
                registration.require(map.name(), added);
            } else {
                registration.add(map.name(), added, !noGuard);
            }
        }
    }
}
