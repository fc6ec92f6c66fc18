package io.shardmap.migrate.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened on one server of a roll-out.
 *
 * @param server name of the server
 * @param before version before, null when no script had been applied or the server did not answer
 * @param after version now, null likewise
 * @param applied number of scripts applied in this run
 * @param pending scripts not applied, as version and description, in their order; those left after a failure
 * @param error why it stopped, null when it did not
 */
public record ServerOutcome(
        String server,
        @Nullable String before,
        @Nullable String after,
        int applied,
        List<String> pending,
        @Nullable String error) {

    /** Copies the list. */
    public ServerOutcome {
        pending = List.copyOf(pending);
    }

    /** Returns whether the server answered and nothing failed. */
    public boolean isGood() {
        return error == null;
    }

    /** Returns whether the server is good and has every script. */
    public boolean isUpToDate() {
        return isGood() && pending.isEmpty();
    }
}
