package io.shardmap.cli.command;

import io.shardmap.cli.connect.ServerLogins;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import picocli.CommandLine.Mixin;

/** A verb of moves. */
abstract class MoveVerb extends Verb {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    ServerLogins logins;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    ProgressOptions progress;

    @Override
    final int run() throws Exception {
        JdbcShardMapStore store = database.store();
        try (ServerPools pools = logins.pools()) {
            return run(store, Moves.of(store, pools));
        }
    }

    /** Does the work and returns one of {@link ExitCodes}. */
    abstract int run(JdbcShardMapStore store, Moves moves) throws Exception;

    /** Says how a move is, in one sentence. */
    static String sentence(MoveStatus move) {
        return "move " + move.id() + " of " + move.shard() + " from " + move.source() + " to " + move.target() + " is "
                + move.state();
    }

    /** Prints a move that is over, or is waited for no longer, and returns the exit code. */
    int ended(MoveStatus move) {
        output.data().done(sentence(move), "move", MoveRow.of(move));
        String next = NextStep.of(move);
        return switch (move.state()) {
            case DONE, REVERSED -> {
                output.hint("shardmap shard list --map " + move.map());
                yield ExitCodes.DONE;
            }
            case ABORTED -> ExitCodes.FAILED;
            case REVERSIBLE -> {
                output.hint(String.valueOf(next));
                yield ExitCodes.DONE;
            }
            case PLANNED,
                    PREFLIGHTED,
                    COPYING,
                    CATCHING_UP,
                    VERIFIED,
                    FENCED,
                    SWITCHED,
                    IRREVERSIBLE,
                    CLEANING,
                    ABORTING,
                    REVERSING,
                    SWITCHED_BACK -> {
                if (move.error() != null) {
                    output.note(move.error());
                }
                output.hint(next == null ? "shardmap move status " + move.id() + " --watch" : next);
                yield ExitCodes.PARTIAL;
            }
        };
    }
}
