/**
 * Moves of virtual shards between servers: {@link io.shardmap.migrate.move.Moves} starts, runs, resumes and cancels them. The order of
 * the steps is the one that {@code cutover_model.py} of the design checks.
 */
@NullMarked
package io.shardmap.migrate.move;

import org.jspecify.annotations.NullMarked;
