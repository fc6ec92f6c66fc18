package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;

/** A change stream whose slot is gone, or must go because it keeps too much: it cannot be completed any more. */
final class StreamLostException extends ShardMapException {
    private static final long serialVersionUID = 1L;

    StreamLostException(String message) {
        super(ErrorCode.STEP_FAILED, message);
    }
}
