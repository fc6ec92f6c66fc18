package io.shardmap;

import java.io.Serial;

/** No map of this name is in the shard-map database. */
public final class UnknownShardMapException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String map;

    /** Creates the refusal of {@code map}. */
    public UnknownShardMapException(String map) {
        super(
                ErrorCode.UNKNOWN_MAP,
                "shard map must exist: map=" + map
                        + "; create it with `shardmap map create`, or see `shardmap map list`");
        this.map = map;
    }

    /** Returns the name that was asked for. */
    public String map() {
        return map;
    }
}
