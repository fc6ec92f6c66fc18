package io.shardmap;

import java.io.Serial;

/** A map that this version cannot route: a newer format, or a strategy or key function it does not know. */
public final class UnsupportedShardMapException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the refusal of a map; {@code what} names what is not known, with its version. */
    public UnsupportedShardMapException(String map, String what) {
        super(
                ErrorCode.UNSUPPORTED_MAP,
                "client must know everything a map is made of: map=" + map + ", unknown: " + what
                        + "; upgrade Shardmap in this application");
    }
}
