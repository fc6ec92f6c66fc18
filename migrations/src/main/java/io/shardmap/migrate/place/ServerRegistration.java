package io.shardmap.migrate.place;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings a server into the shard-map database: what {@code shardmap server add} and {@code server upgrade} do. Stateless. */
public final class ServerRegistration {
    private static final int OLDEST_POSTGRES = 15;

    private final JdbcShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates the service.
     *
     * @param store the shard-map database; its credentials may write
     * @param pools connections to the servers as a user who may create a schema
     */
    public ServerRegistration(JdbcShardMapStore store, ServerPools pools) {
        this.store = store;
        this.pools = pools;
    }

    /**
     * What a server is.
     *
     * @param server the server
     * @param product name of the database product
     * @param productVersion its version, as it calls itself
     * @param installed version of Shardmap's objects that was found, 0 for none
     * @param needed version of Shardmap's objects that this Shardmap installs
     * @param identity which database cluster it is, null on H2 and on a standby
     * @param remembered which one it was when it was added last, null when that is not known
     */
    public record Found(
            Server server,
            String product,
            String productVersion,
            int installed,
            int needed,
            @Nullable ServerIdentity identity,
            @Nullable ServerIdentity remembered) {

        /** Returns whether the server is another cluster than it was, or was restored: it may have forgotten what it acknowledged. */
        public boolean isReplaced() {
            return identity != null && remembered != null && !identity.equals(remembered);
        }
    }

    /**
     * Looks at a server and changes nothing.
     *
     * @throws ShardMapException with {@link ErrorCode#SERVER_UNAVAILABLE} when it does not answer, and with
     *     {@link ErrorCode#NOT_SUPPORTED} when its product or version is not supported, or its objects are newer
     */
    public Found check(Server server) {
        ServerDialect dialect = pools.dialect(server);
        try (Connection connection = pools.open(server)) {
            return check(server, dialect, connection);
        } catch (SQLException failure) {
            throw unavailable(server, failure);
        }
    }

    /**
     * Installs or upgrades Shardmap's objects, then adds the server or changes its URLs and region. Repeating it changes nothing. A
     * server that {@link Found#isReplaced is replaced} is accepted as it is: look first whether it lost something.
     *
     * @return what was found before
     * @throws ShardMapException as {@link #check} does, then nothing was changed
     */
    public Found add(Server server) {
        Found found = upgrade(server);
        store.putServer(server);
        ServerIdentity identity = found.identity();
        if (identity != null) {
            identity.remember(store, server.name());
        }
        return found;
    }

    /**
     * Installs or upgrades Shardmap's objects on a server, and changes nothing else. Repeating it changes nothing.
     *
     * @return what was found before
     * @throws ShardMapException as {@link #check} does, then nothing was changed
     */
    public Found upgrade(Server server) {
        ServerDialect dialect = pools.dialect(server);
        try (Connection connection = pools.open(server)) {
            Found found = check(server, dialect, connection);
            dialect.install(connection);
            return found;
        } catch (SQLException failure) {
            throw unavailable(server, failure);
        }
    }

    private Found check(Server server, ServerDialect dialect, Connection connection) throws SQLException {
        DatabaseMetaData product = connection.getMetaData();
        if (product.getDatabaseProductName().equals("PostgreSQL")
                && product.getDatabaseMajorVersion() < OLDEST_POSTGRES) {
            throw new ShardMapException(
                    ErrorCode.NOT_SUPPORTED,
                    "PostgreSQL must be " + OLDEST_POSTGRES + " or later: server=" + server.name() + ", version="
                            + product.getDatabaseProductVersion() + "; upgrade the server");
        }
        int installed = dialect.installedVersion(connection);
        if (installed > ServerDialect.VERSION) {
            throw new ShardMapException(
                    ErrorCode.NOT_SUPPORTED,
                    "server objects must not be newer than this version knows: server=" + server.name()
                            + ", installed=" + installed + ", known=" + ServerDialect.VERSION
                            + "; upgrade Shardmap here");
        }
        Optional<ServerIdentity> identity = ServerIdentity.read(connection);
        return new Found(
                server,
                product.getDatabaseProductName(),
                product.getDatabaseProductVersion(),
                installed,
                ServerDialect.VERSION,
                identity.orElse(null),
                identity.isEmpty() ? null : ServerIdentity.remembered(store).get(server.name()));
    }

    private static ShardMapException unavailable(Server server, SQLException failure) {
        return new ShardMapException(
                ErrorCode.SERVER_UNAVAILABLE,
                "server must answer and accept Shardmap's objects: server=" + server.name() + ", error="
                        + failure.getMessage() + "; check URL, credentials and privileges",
                failure);
    }
}
