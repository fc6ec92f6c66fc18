package io.shardmap;

import java.io.Serial;

/** The key is of the right type, but no assigned virtual shard of the map holds it. */
public final class UnmappedKeyException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String map;

    /** Creates the refusal of {@code key}, with advice on what to do. */
    public UnmappedKeyException(String map, Object key, String advice) {
        super(
                ErrorCode.UNMAPPED_KEY,
                "key must belong to a virtual shard: map=" + map + ", key=" + key + "; " + advice);
        this.map = map;
    }

    /** Returns the name of the map that was asked. */
    public String map() {
        return map;
    }
}
