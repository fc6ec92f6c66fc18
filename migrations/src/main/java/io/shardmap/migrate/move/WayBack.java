package io.shardmap.migrate.move;

import org.jspecify.annotations.Nullable;

/**
 * The stream of a move that can be taken back, as the move's target has it.
 *
 * @param keptBytes write-ahead log that the target keeps for it
 * @param lagBytes how much of that the source has not confirmed yet
 * @param limitBytes how much the target may keep before the way back is given up
 * @param fault why the way back must be given up, see {@link Moves#guard}; null when it can be kept
 */
public record WayBack(
        long keptBytes,
        long lagBytes,
        long limitBytes,
        @Nullable String fault) {}
