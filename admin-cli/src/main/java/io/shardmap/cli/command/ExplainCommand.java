package io.shardmap.cli.command;

import io.shardmap.cli.process.Surroundings;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.store.JdbcShardMapStore;
import java.io.IOException;
import java.sql.SQLException;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says how a query over all servers of a map would be answered. */
@Command(
        name = "explain",
        description = {
            "Prints what each server would be asked for a query, which rows it would leave out during a move, how the"
                    + " answers are merged, and why so. Asks no server.",
            "A query that would be refused ends with 1."
        },
        footer = {
            "  shardmap explain --map books \"select isbn from book order by isbn limit 3\"",
            "  shardmap explain --map books -o json - < report.sql"
        })
public final class ExplainCommand extends Verb {
    private final Surroundings surroundings;

    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(paramLabel = "SQL", description = "The query, or - to read it from standard input.")
    private String sql = "";

    /** Made by the command line. */
    ExplainCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    int run() throws SQLException, IOException {
        String text = sql.equals("-") ? surroundings.in().lines().collect(Collectors.joining("\n")) : sql;
        JdbcShardMapStore store = database.store();
        String map = choice.name(store);
        try (ShardRouter router = ShardRouter.builder(store).build()) {
            return Explanation.print(router.fanOut(map), text, output.data());
        }
    }
}
