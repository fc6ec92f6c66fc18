package io.shardmap.cli.command;

import io.shardmap.cli.output.Detail;
import io.shardmap.migrate.schema.ServerOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of a roll-out as it is printed.
 *
 * @param version version now, null when there is none or the server did not answer
 * @param applied how many scripts were applied
 * @param pending scripts still to be applied
 */
record RolloutRow(
        String server,
        State state,
        @Nullable String before,
        @Nullable String version,
        int applied,
        List<String> pending,
        @Detail @Nullable String error) {
    /** How far a server is. */
    enum State {
        UP_TO_DATE,
        PENDING,
        FAILED;

        static State of(ServerOutcome outcome) {
            if (!outcome.isGood()) {
                return FAILED;
            }
            return outcome.isUpToDate() ? UP_TO_DATE : PENDING;
        }
    }

    static RolloutRow of(ServerOutcome outcome) {
        return new RolloutRow(
                outcome.server(),
                State.of(outcome),
                outcome.before(),
                outcome.after(),
                outcome.applied(),
                outcome.pending(),
                outcome.error());
    }
}
