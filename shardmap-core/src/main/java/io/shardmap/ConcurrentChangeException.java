package io.shardmap;

import java.io.Serial;

/** A compare-and-set that found another value than expected. Nothing was changed. */
public final class ConcurrentChangeException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the refusal; {@code message} names what was expected and what was found. */
    public ConcurrentChangeException(String message) {
        super(ErrorCode.CONCURRENT_CHANGE, message);
    }
}
