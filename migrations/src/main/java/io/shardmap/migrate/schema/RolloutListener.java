package io.shardmap.migrate.schema;

/** Is told how a roll-out proceeds; called by several threads at once. Every method does nothing by default. */
public interface RolloutListener {
    /** Does nothing. */
    RolloutListener NONE = new RolloutListener() {};

    /** Work on a server begins. */
    default void started(String server) {}

    /** A server is finished, well or not. */
    default void finished(ServerOutcome outcome) {}
}
