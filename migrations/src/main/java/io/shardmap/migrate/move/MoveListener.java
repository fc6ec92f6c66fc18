package io.shardmap.migrate.move;

/**
 * Is told how a move proceeds; called by the mover's thread unless a method says otherwise, so it should return soon. Every method does
 * nothing by default.
 */
public interface MoveListener {
    /** Does nothing. */
    MoveListener NONE = new MoveListener() {};

    /** A new state was recorded. */
    default void entered(MoveStatus move) {}

    /**
     * A batch was committed.
     *
     * @param table the table, as the map names it
     * @param rows rows of this table so far
     * @param bytes bytes of this table so far, as they went over the network; 0 on H2
     */
    default void copied(MoveStatus move, String table, long rows, long bytes) {}

    /** The fence ran out while rows were copied: the copy starts again. */
    default void fenceLost(MoveStatus move) {}

    /** The stream has so many bytes of the source's write-ahead log before it (online method). */
    default void lag(MoveStatus move, long bytes) {}

    /**
     * The exclusive lock of the virtual shard was given back (online method): after its rows were fixed for the comparison, or after an
     * attempt of the cut-over.
     *
     * @param pause how long writers of the virtual shard were kept waiting
     * @param switched whether the map switched
     */
    default void paused(MoveStatus move, java.time.Duration pause, boolean switched) {}

    /** A batch of the source's rows was removed; {@code rows} of this table so far. */
    default void cleaned(MoveStatus move, String table, long rows) {}

    /** How far the copy is; called at most once per second, by another thread than the mover's. */
    default void progress(MoveStatus move, MoveProgress progress) {}
}
