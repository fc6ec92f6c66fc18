package io.shardmap.migrate.doctor;

import java.util.List;

/**
 * One thing that is not as it should be.
 *
 * @param rule what is broken, for programs
 * @param where map, virtual shards, server or move
 * @param virtualShards the virtual shards concerned, ascending; empty when it is not about any
 * @param found what was seen
 * @param remedy what mends it: a command, or what to do by hand
 */
public record Finding(Rule rule, String where, List<Integer> virtualShards, String found, String remedy) {

    /** Copies the list. */
    public Finding {
        virtualShards = List.copyOf(virtualShards);
    }

    Finding(Rule rule, String where, String found, String remedy) {
        this(rule, where, List.of(), found, remedy);
    }

    /** What can be broken. The name of a constant is its code: it is never renamed or reused. */
    public enum Rule {
        /** A server does not answer. */
        SERVER_UNREACHABLE,
        /** A server has no Shardmap objects. */
        OBJECTS_MISSING,
        /** A server has objects of an older version. */
        OBJECTS_OUTDATED,
        /** A server has objects of a version that this program does not know. */
        OBJECTS_NEWER,
        /** A server is another cluster than it was, or on another timeline: it was restored, or failed over. */
        SERVER_REPLACED,
        /** Two servers of the map are one database. */
        SAME_DATABASE,
        /** A server knows virtual shards of a map that the shard-map database does not have. */
        UNKNOWN_MAP,
        /** Several servers say that they own a virtual shard. */
        TWO_OWNERS,
        /** A server owns a virtual shard that the map places elsewhere, or nowhere. */
        WRONG_OWNER,
        /** No server owns a virtual shard: nobody is served. */
        SHARD_CLOSED,
        /** A server owns a virtual shard at a lower epoch than the map says: it was restored. */
        EPOCH_BEHIND,
        /** A server has seen a higher epoch than the map says: the map was restored. */
        EPOCH_AHEAD,
        /** A fence without a move. */
        LEFTOVER_FENCE,
        /** An assignment was begun and not completed. */
        HALF_ASSIGNED,
        /** A repair, or an assignment of a virtual shard that was on a server before, was begun and not completed. */
        HALF_REPAIRED,
        /** A move is not over, and nobody works on it. */
        STALLED_MOVE,
        /** A move that waits cannot be taken back any more, or its way back costs too much or does not work. */
        WAY_BACK,
        /** A slot, publication or subscription of a move that is over or unknown. */
        LEFTOVER_STREAM,
        /** A session of a mover without a move. */
        LEFTOVER_SESSION,
        /** A server says that it holds copies of a virtual shard that is not moving. */
        LEFTOVER_COPIES,
        /** Rows of a virtual shard on a server that does not own it, and that queries may count. */
        STRANDED_ROWS,
        /** A sharded table does not exist on a server. */
        TABLE_MISSING,
        /** A table is guarded on other servers, not on this one. */
        GUARD_MISSING,
        /** A question could not be answered. */
        NOT_EXAMINED
    }

    @Override
    public String toString() {
        return rule + " (" + where + "): " + found + "; " + remedy;
    }
}
