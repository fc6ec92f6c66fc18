package io.shardmap.cli.command;

import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.output.Output;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.cli.process.Surroundings;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutResult;
import io.shardmap.jdbc.fanout.ServerOutcome;
import io.shardmap.store.JdbcShardMapStore;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one query on all servers of a map. */
@Command(
        name = "query",
        description = {
            "Runs a SELECT on all servers of a map and merges the rows as they arrive.",
            "The answer is the one that a single database would give; a query for which that cannot be promised is"
                    + " refused."
        },
        footer = {
            "  shardmap query --map books \"select count(*) from book\"",
            "  shardmap query --map books --explain \"select isbn from book limit 3\"",
            "  shardmap query --map books -o csv - < report.sql > report.csv"
        })
public final class QueryCommand extends Verb {
    private static final int ROWS_PER_LOOK = 1_000;

    private final Surroundings surroundings;

    @Mixin
    private MapChoice choice = new MapChoice();

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ServerLogins logins;

    @Parameters(paramLabel = "SQL", description = "The query, or - to read it from standard input.")
    private String sql = "";

    @Option(
            names = "--explain",
            description =
                    "Prints what each server would be asked and how the rows are merged, and asks no server, as the verb"
                            + " explain. A query that would be refused ends with 1.")
    private boolean explain;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "30s",
            description = "Ends the query when its last row was not read by then. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--partial",
            description = "Goes on without servers that fail; names them, and ends with 5 if there are some.")
    private boolean partial;

    /** Made by the command line. */
    QueryCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    int run() throws SQLException, IOException {
        String text = sql.equals("-") ? surroundings.in().lines().collect(Collectors.joining("\n")) : sql;
        JdbcShardMapStore store = database.store();
        String map = choice.name(store);
        try (ShardRouter router = ShardRouter.builder(store).credentials(logins).build()) {
            FanOut fanOut = router.fanOut(map).deadline(timeout);
            return explain
                    ? Explanation.print(fanOut, text, output.data())
                    : query(partial ? fanOut.partial() : fanOut, text);
        }
    }

    private int query(FanOut fanOut, String text) throws SQLException {
        try (FanOutResult result = fanOut.query(text)) {
            ResultSet rows = result.resultSet();
            List<String> columns = columns(rows.getMetaData());
            Output.Rows printed = output.data().rows(columns);
            long count = 0;
            while (rows.next()) {
                List<@Nullable Object> values = new ArrayList<>();
                for (int column = 1; column <= columns.size(); column++) {
                    values.add(rows.getObject(column));
                }
                printed.row(values);
                count++;
                if (count % ROWS_PER_LOOK == 0 && command.commandLine().getOut().checkError()) {
                    // Nobody reads any more, as with `| head`: the servers need not go on.
                    return ExitCodes.FAILED;
                }
            }
            printed.end();
            output.note(count == 1 ? "(1 row)" : "(" + count + " rows)");
            return failures(result.outcomes());
        }
    }

    private static List<String> columns(ResultSetMetaData metaData) throws SQLException {
        List<String> columns = new ArrayList<>();
        for (int column = 1; column <= metaData.getColumnCount(); column++) {
            columns.add(metaData.getColumnLabel(column));
        }
        return columns;
    }

    private int failures(List<ServerOutcome> outcomes) {
        int exit = ExitCodes.DONE;
        for (ServerOutcome outcome : outcomes) {
            SQLException error = outcome.error();
            if (error != null) {
                output.progress("missing: " + error.getMessage());
                exit = ExitCodes.PARTIAL;
            }
        }
        return exit;
    }
}
