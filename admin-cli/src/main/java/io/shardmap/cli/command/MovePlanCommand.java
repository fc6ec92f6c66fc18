package io.shardmap.cli.command;

import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a move would do. */
@Command(
        name = "plan",
        description = {
            "Says what a move would do and cost, and everything that is in its way, each with its remedy. Changes nothing.",
            "The same as `shardmap move start --dry-run`. Ends with 1 when the move cannot start."
        },
        footer = {
            "  shardmap move plan --map books 6 --to bookdbshard0",
            "  shardmap move plan --map books 6,7 --to bookdbshard0 --method online",
            "  shardmap move plan --map books 6 --to bookdbshard0 --reversible",
            "  shardmap move plan 6 --to bookdbshard0 -o json | jq -r '.plan.problems[].message'"
        })
final class MovePlanCommand extends MoveVerb {
    @Mixin
    private MapChoice choice = new MapChoice();

    @Parameters(
            paramLabel = "IDS",
            converter = ShardNumbers.Converter.class,
            description = "The virtual shards, such as 6 or 0-2,9.")
    private ShardNumbers ids = new ShardNumbers(List.of());

    @Option(names = "--to", required = true, paramLabel = "SERVER", description = "The server that shall hold them.")
    private String target = "";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private MethodChoice method;

    @Mixin
    private MoveSettings settings = new MoveSettings();

    @Override
    int run(JdbcShardMapStore store, Moves moves) {
        return MovePlanned.print(this, moves, choice.name(store), ids.numbers(), target, method.options(settings));
    }
}
