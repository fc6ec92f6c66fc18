package io.shardmap.migrate;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/**
 * The schema of the shard-map database, kept by Flyway in the database schema {@code shardmap_catalog} with a history table of its own:
 * the database may hold anything else, also migrations of the application's own Flyway.
 */
public final class ShardMapSchema {
    private static final String CATALOGUE = "shardmap_catalog";

    /** H2 commits with every DDL and so gives Flyway's lock back too early; its databases are mostly of one process. */
    private static final Object ONE_AT_A_TIME = new Object();

    private ShardMapSchema() {}

    /**
     * Creates or upgrades the schema; does nothing when it is up to date. Clients that run it at the same time wait for each other.
     *
     * @throws ShardMapException with {@link ErrorCode#UNSUPPORTED_MAP} when the schema is newer than this version of Shardmap knows, and
     *     with {@link ErrorCode#STORE_UNAVAILABLE} when the database does not answer or refuses
     */
    public static void migrate(DataSource dataSource) {
        Flyway flyway = flyway(dataSource);
        try {
            synchronized (ONE_AT_A_TIME) {
                refuseNewer(flyway);
                flyway.migrate();
            }
        } catch (FlywayException failure) {
            throw unavailable("migrate", failure);
        }
    }

    /**
     * Returns the version of the schema in the database, 0 when there is none yet. Needs read-only credentials.
     *
     * @throws ShardMapException with {@link ErrorCode#STORE_UNAVAILABLE} when the database does not answer or refuses
     */
    public static int version(DataSource dataSource) {
        try {
            return version(flyway(dataSource).info().current());
        } catch (FlywayException failure) {
            throw unavailable("read the version", failure);
        }
    }

    private static void refuseNewer(Flyway flyway) {
        for (MigrationInfo applied : flyway.info().applied()) {
            if (applied.getState() == MigrationState.FUTURE_SUCCESS
                    || applied.getState() == MigrationState.FUTURE_FAILED) {
                throw new ShardMapException(
                        ErrorCode.UNSUPPORTED_MAP,
                        "schema of the shard-map database must not be newer than this Shardmap: stored version="
                                + applied.getVersion() + "; upgrade Shardmap here");
            }
        }
    }

    private static int version(@Nullable MigrationInfo migration) {
        MigrationVersion version = migration == null ? null : migration.getVersion();
        return version == null ? 0 : version.getMajor().intValueExact();
    }

    private static Flyway flyway(DataSource dataSource) {
        return Flyway.configure(ShardMapSchema.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:io/shardmap/migrate/shardmap")
                .schemas(CATALOGUE)
                .defaultSchema(CATALOGUE)
                .table("schema_history")
                .placeholderReplacement(false)
                .cleanDisabled(true)
                .load();
    }

    private static ShardMapException unavailable(String action, FlywayException failure) {
        return new ShardMapException(
                ErrorCode.STORE_UNAVAILABLE,
                "schema of the shard-map database must be readable: action=" + action + ", error="
                        + failure.getMessage(),
                failure);
    }
}
