package io.shardmap;

import org.jspecify.annotations.Nullable;

/**
 * A numbered slice of the key space and where it lives.
 *
 * @param id number within the map, from 0
 * @param server name of the server that holds it, null exactly when {@link State#UNASSIGNED}
 * @param epoch fencing number of its ownership; 0 while unassigned, grows at every change of owner
 * @param state how far its placement is
 */
public record VirtualShard(int id, @Nullable String server, long epoch, State state) {

    /** How far the placement of a virtual shard is. */
    public enum State {
        /** On no server yet: its keys are refused. */
        UNASSIGNED,
        /** Written to the map, not yet confirmed on the server; `shard assign` finishes it. */
        ASSIGNING,
        /** Held by its server. */
        ASSIGNED
    }

    /**
     * Validates the parts.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when they contradict each other
     */
    public VirtualShard {
        if (id < 0 || epoch < 0) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "virtual shard and epoch must be >= 0: id=" + id + ", epoch=" + epoch);
        }
        if ((server == null) != (state == State.UNASSIGNED)) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "virtual shard must name a server exactly when it is assigned: id=" + id + ", state=" + state
                            + ", server=" + server);
        }
    }

    /** Creates a virtual shard that is on no server yet. */
    public static VirtualShard unassigned(int id) {
        return new VirtualShard(id, null, 0, State.UNASSIGNED);
    }
}
