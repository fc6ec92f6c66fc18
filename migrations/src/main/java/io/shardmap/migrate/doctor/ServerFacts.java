package io.shardmap.migrate.doctor;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.place.ServerIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one server said.
 *
 * @param server the server
 * @param error why it did not answer, null when it did; the rest is empty then
 * @param objects version of Shardmap's objects, 0 for none; the rest is empty then
 * @param identity which cluster it is, null on H2 and on a standby
 * @param database name of its database
 * @param ownership its ownership rows
 * @param streams slots, publications and subscriptions that have a name of Shardmap's
 * @param sessions sessions of movers that have been idle, or in one transaction, for a while
 * @param tables what was found of the sharded tables
 */
record ServerFacts(
        Server server,
        @Nullable String error,
        int objects,
        @Nullable ServerIdentity identity,
        String database,
        List<Owned> ownership,
        List<Stream> streams,
        List<Session> sessions,
        List<Table> tables) {

    static ServerFacts unreachable(Server server, String error) {
        return new ServerFacts(server, error, 0, null, "", List.of(), List.of(), List.of(), List.of());
    }

    String name() {
        return server.name();
    }

    /** An ownership row. */
    record Owned(int map, int virtualShard, long epoch, String state, boolean fenceLive, boolean holdsCopies) {
        boolean isOwner() {
            return !state.equals("CLOSED");
        }

        boolean isFenced() {
            return state.equals("FENCED");
        }

        @Override
        public String toString() {
            return state + " at epoch " + epoch;
        }
    }

    /**
     * A part of a change stream.
     *
     * @param kind slot, publication or subscription
     * @param drop the SQL that removes it
     * @param active whether a slot is read, or a subscription enabled; true for a publication
     * @param keptBytes write-ahead log that the server keeps for a slot, else 0
     * @param fault what is wrong with it, null when nothing is known to be
     */
    record Stream(
            String kind,
            String name,
            String drop,
            boolean active,
            long keptBytes,
            @Nullable String fault) {}

    /** A session of a mover. */
    record Session(int pid, int map, int virtualShard) {}

    /**
     * A sharded table.
     *
     * @param unowned virtual shards that have rows here although this server does not own them
     * @param outside numbers in the shard column that are no virtual shards of the map, a few of them
     */
    record Table(
            String map,
            ShardedTable table,
            boolean exists,
            boolean guarded,
            List<Integer> unowned,
            List<Long> outside,
            @Nullable String error) {}
}
