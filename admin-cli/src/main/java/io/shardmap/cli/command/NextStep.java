package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveStatus;
import org.jspecify.annotations.Nullable;

/** What somebody has to do about a move that does not go on by itself. */
final class NextStep {
    private NextStep() {}

    /** Returns the command, or the two to choose from; null when there is nothing to do, or a mover is at work. */
    static @Nullable String of(MoveStatus move) {
        return switch (move.state()) {
            case REVERSIBLE -> "shardmap move reverse " + move.id() + ", or shardmap move complete " + move.id();
            case IRREVERSIBLE -> "shardmap move complete " + move.id();
            case DONE, ABORTED, REVERSED -> null;
            case PLANNED,
                    PREFLIGHTED,
                    COPYING,
                    CATCHING_UP,
                    VERIFIED,
                    FENCED,
                    SWITCHED,
                    CLEANING,
                    ABORTING,
                    REVERSING,
                    SWITCHED_BACK -> move.isOrphaned() ? "shardmap move resume " + move.id() : null;
        };
    }
}
