package io.shardmap.migrate.move;

/** How the rows of a virtual shard get to the target. */
public enum MoveMethod {
    /** By fence and copy, on PostgreSQL and H2: writers wait while the rows are copied. */
    PORTABLE,
    /** By copy and logical replication, on PostgreSQL 15 and newer: writers wait for the cut-over only. */
    ONLINE
}
