package io.shardmap.testkit;

/**
 * One server, whatever runs it. Implementations are thread-safe, and refuse what they cannot do with an
 * {@link UnsupportedOperationException} that says which setting can.
 */
interface ServerHandle extends AutoCloseable {
    /** How to reach the server: the same as long as it is not closed, also when it is stopped and started again. */
    ServerAccess access();

    /** Starts a stopped or killed server again, same port and data; does nothing when it runs. */
    void start();

    /** Stops it in order, ending open connections; does nothing when it does not run. */
    void stop();

    /** Ends all its processes at once, as a power cut would; does nothing when it does not run. */
    void kill();

    boolean isRunning();

    /** Gives the server up: ends it if this backend started it, and deletes data nobody asked to keep. */
    @Override
    void close();
}
