package io.shardmap.cli.process;

/** How a command ends. Scripts rely on these numbers. */
public final class ExitCodes {
    /** Everything is done. */
    public static final int DONE = 0;
    /** It failed; nothing, or less than was asked, has happened. */
    public static final int FAILED = 1;
    /** The command line is wrong, or a question could not be asked. */
    public static final int USAGE = 2;
    /** What was found is not what should be. */
    public static final int DRIFT = 3;
    /** The time to wait is over, the work goes on. */
    public static final int STILL_RUNNING = 4;
    /** A part is done; the same command again does the rest. */
    public static final int PARTIAL = 5;
    /** Ended from outside. */
    public static final int INTERRUPTED = 130;

    private ExitCodes() {}
}
