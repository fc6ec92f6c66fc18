package io.shardmap.migrate.move;

/**
 * Number of a move in its shard-map database.
 *
 * @param value the number, from 1
 */
public record MoveId(long value) {
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
