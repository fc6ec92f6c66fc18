package io.shardmap.testkit;

/**
 * A server could not be provided or operated as asked. The message names the rule, the values and what to do.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class TestkitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why it failed: a stable code for callers that react to it. */
    public enum Reason {
        /** A setting is missing, malformed, or contradicts another (category: caller). */
        BAD_SETTING,
        /** Another process listens on the port a server was to use (category: caller). */
        PORT_IN_USE,
        /** The server that runs, or the data it was given, is of another major version than asked (category: caller). */
        VERSION_MISMATCH,
        /** This machine lacks what the chosen backend needs, such as a Docker API (category: caller). */
        BACKEND_UNAVAILABLE,
        /** The server did not start or did not stop in time; the message ends with its log (category: internal). */
        SERVER_FAILED,
        /** The thread was interrupted while it waited for a server (category: transient). */
        INTERRUPTED
    }

    private final Reason reason;

    TestkitException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    TestkitException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /**
     * The stable code of this failure.
     *
     * @return the reason, never null
     */
    public Reason reason() {
        return reason;
    }
}
