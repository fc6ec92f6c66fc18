package io.shardmap.jdbc.pool;

import io.shardmap.Server;
import org.jspecify.annotations.Nullable;

/**
 * User and password of a server. Never printed.
 *
 * @param user user name, or null to leave it to the driver
 * @param password password, or null to leave it to the driver (`.pgpass`, trust, certificates)
 */
public record Credentials(@Nullable String user, @Nullable String password) {
    /** Leaves both to the driver. */
    public static final Credentials NONE = new Credentials(null, null);

    /** Names the credentials of a server; asked once when its pool is made. */
    @FunctionalInterface
    public interface Provider {
        /** Returns the credentials of a server. */
        Credentials of(Server server);
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user + ", password=" + (password == null ? "null" : "***") + "]";
    }
}
