package io.shardmap.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change that was made to the shard-map database.
 *
 * @param at when, by the clock of the database
 * @param who database user and operating-system user of the change
 * @param what what was changed, such as {@code place books/6}
 * @param before the value before, null for something new
 * @param after the value after, null for something removed
 */
public record AuditEntry(
        Instant at,
        String who,
        String what,
        @Nullable String before,
        @Nullable String after) {}
