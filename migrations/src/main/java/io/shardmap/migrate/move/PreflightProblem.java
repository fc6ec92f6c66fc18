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
        /** A server was restored, or failed over, and nobody has accepted it since. */
        SERVER_REPLACED,
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
        /** A foreign key between sharded tables may cross virtual shards. */
        FOREIGN_KEY_ACROSS,
        /** A column may hold large objects, which do not move with their rows. */
        LARGE_OBJECT,
        /** A policy would hide rows from the mover. */
        ROW_SECURITY,
        /** The target has no partition for the virtual shard. */
        PARTITION_MISSING,
        /** A sequence cannot be kept from giving the same value on both servers. */
        SEQUENCE,
        /** A trigger of the application would fire for every moved row. */
        USER_TRIGGER,
        /** Another move of the virtual shard is active. */
        ACTIVE_MOVE,
        /** The online method does not work with this product or version. */
        ONLINE_UNSUPPORTED,
        /** The source does not write what logical replication needs. */
        WAL_LEVEL,
        /** A server has no free replication slot, sender, worker or origin. */
        NO_REPLICATION_CAPACITY,
        /** A mover may not replicate, or make publications or subscriptions. */
        NO_REPLICATION_PRIVILEGE,
        /** A table does not identify its rows by columns that the shard column belongs to. */
        REPLICA_IDENTITY,
        /** A table has no guard on the source, which keeps its rows in their virtual shards. */
        GUARD_MISSING,
        /** A prepared transaction is open on the source. */
        PREPARED_TRANSACTION,
        /** A transaction has been writing on the source for longer than a slot is waited for. */
        LONG_TRANSACTION,
        /** The target does not reach the source. */
        SOURCE_UNREACHABLE
    }

    @Override
    public String toString() {
        return kind + ": " + message;
    }
}
