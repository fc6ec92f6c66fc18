package io.shardmap.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Where the shard-map database is; a bean of this type stands before the properties {@code shardmap.map.*}, for tests. */
public interface ShardMapConnectionDetails extends ConnectionDetails {
    /** Returns its JDBC URL. */
    String jdbcUrl();

    /** Returns its user, or null to leave it to the driver. */
    @Nullable
    String username();

    /** Returns its password, or null to leave it to the driver. */
    @Nullable
    String password();
}
