package io.shardmap;

import java.io.Serial;

/** No server of this name is in the shard-map database. */
public final class UnknownServerException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String server;

    /** Creates the refusal of {@code server}. */
    public UnknownServerException(String server) {
        super(
                ErrorCode.UNKNOWN_SERVER,
                "server must exist: server=" + server
                        + "; add it with `shardmap server add`, or see `shardmap server list`");
        this.server = server;
    }

    /** Returns the name that was asked for. */
    public String server() {
        return server;
    }
}
