package io.shardmap.migrate.move;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One step in the journal of a move.
 *
 * @param at when, by the clock of the shard-map database
 * @param step what was reached, such as {@code COPYING} or {@code lease 7}
 * @param detail more of it, or null
 */
public record JournalEntry(
        Instant at, String step, @Nullable String detail) {}
