package io.shardmap.migrate.move;

/** Is told when a mover passes a boundary between steps. What it throws ends the mover as its death would. */
@FunctionalInterface
public interface MoveHooks {
    /** Does nothing. */
    MoveHooks NONE = point -> {};

    /** Called by the mover's thread at each boundary. */
    void reached(CrashPoint point);
}
