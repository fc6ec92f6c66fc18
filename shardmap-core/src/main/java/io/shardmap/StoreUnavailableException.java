package io.shardmap;

import java.io.Serial;
import java.sql.SQLException;

/** The shard-map database could not be read or written. */
public final class StoreUnavailableException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the failure of {@code action}, caused by {@code cause}. */
    public StoreUnavailableException(String action, SQLException cause) {
        super(
                ErrorCode.STORE_UNAVAILABLE,
                "shard-map database must answer: action=" + action + ", error=" + cause.getMessage()
                        + "; check its URL, credentials and that `shardmap init` has run",
                cause);
    }
}
