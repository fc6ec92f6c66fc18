package io.shardmap;

import org.jspecify.annotations.Nullable;

/**
 * A refusal of Shardmap. The message names the rule, the value seen and what to do; {@link #code()} is stable for programs.
 */
public class ShardMapException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** Creates a refusal; {@code message} says the rule, then name=value, then what to do. */
    public ShardMapException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** Creates a refusal with the failure behind it. */
    public ShardMapException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Returns the stable code of this refusal. */
    public final ErrorCode code() {
        return code;
    }
}
