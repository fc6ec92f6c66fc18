package io.shardmap;

import java.io.Serial;
import java.sql.SQLException;

/** The shard-map database could not be read or written. */
public final class StoreUnavailableException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the failure of {@code action}, caused by {@code cause}. */
    public StoreUnavailableException(String action, SQLException cause) {
        this("answer", action, cause, "check its URL, credentials and that `shardmap init` has run");
    }

    private StoreUnavailableException(String rule, String action, SQLException cause, String advice) {
        super(
                ErrorCode.STORE_UNAVAILABLE,
                "shard-map database must " + rule + ": action=" + action + ", error=" + cause.getMessage() + "; "
                        + advice,
                cause);
    }

    /** Creates the failure of {@code action} on a database that answers, but does not hold the tables of a shard map. */
    public static StoreUnavailableException notInitialized(String action, SQLException cause) {
        return new StoreUnavailableException(
                "hold the shardmap_catalog tables", action, cause, "run `shardmap init` on it, or correct its URL");
    }
}
