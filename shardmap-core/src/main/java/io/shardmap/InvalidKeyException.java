package io.shardmap;

import java.io.Serial;

/** A key whose Java type or value cannot be a key of the map. */
public final class InvalidKeyException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the refusal; {@code message} says what was expected and what was seen. */
    public InvalidKeyException(String message) {
        super(ErrorCode.INVALID_KEY, message);
    }
}
