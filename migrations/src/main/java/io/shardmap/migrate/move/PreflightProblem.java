package io.shardmap.migrate.move;

/**
 * One thing that is in the way of a move.
 *
 * @param kind what it is, for programs
 * @param message the rule, what was found, and what to do
 */
public record PreflightProblem(Kind kind, String message) {

    /** What can be in the way. */
    public enum Kind {
        /** The virtual shard is on no server, or its assignment is not finished. */
        NOT_ASSIGNED,
        /** The target is not a server of the shard-map database. */
        UNKNOWN_TARGET,
        /** The virtual shard is on the target already. */
        SAME_SERVER,
        /** A server does not answer, or lacks Shardmap's objects. */
        UNREACHABLE,
        /** Source and target are different database products. */
        PRODUCTS_DIFFER,
        /** The source does not own the virtual shard at the epoch of the map. */
        SOURCE_NOT_OWNER,
        /** The target claims to own the virtual shard. */
        TARGET_OWNS,
        /** The map registers no table. */
        NO_TABLES,
        /** A registered table is missing on a server. */
        TABLE_MISSING,
        /** Columns of a table differ between the servers. */
        COLUMNS_DIFFER,
        /** Rows of the virtual shard are on the target. */
        ROWS_ON_TARGET,
        /** Foreign keys form a circle. */
        FOREIGN_KEY_CYCLE,
        /** A table that is not registered references one that is. */
        UNREGISTERED_REFERENCE,
        /** A trigger of the application would fire for every moved row. */
        USER_TRIGGER,
        /** Another move of the virtual shard is active. */
        ACTIVE_MOVE
    }

    @Override
    public String toString() {
        return kind + ": " + message;
    }
}
