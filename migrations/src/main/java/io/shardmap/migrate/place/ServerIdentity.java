package io.shardmap.migrate.place;

import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which database cluster a server is. Another system identifier is another cluster; another timeline is the same one after a restore or
 * a fail-over, which may have forgotten what was committed.
 *
 * @param systemIdentifier the number that a PostgreSQL cluster keeps for its life
 * @param timeline the timeline its write-ahead log is on
 */
public record ServerIdentity(String systemIdentifier, int timeline) {

    /** Reads the identity of the server behind a connection; empty on H2, and on a standby. */
    public static Optional<ServerIdentity> read(Connection connection) throws SQLException {
        if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            return Optional.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select system_identifier::text,
                               case when not pg_is_in_recovery()
                                    then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end
                          from pg_control_system()
                        """)) {
            row.next();
            String identifier = row.getString(1);
            int timeline = row.getInt(2);
            return row.wasNull() ? Optional.empty() : Optional.of(new ServerIdentity(identifier, timeline));
        }
    }

    /** Returns what the shard-map database remembers of servers, by name. */
    public static Map<String, ServerIdentity> remembered(JdbcShardMapStore store) {
        return store.change(transaction -> {
            Map<String, ServerIdentity> identities = new HashMap<>();
            try (PreparedStatement query = transaction.connection().prepareStatement("""
                            select "server", "system_identifier", "timeline" from "shardmap_catalog"."server_identity"
                            """);
                    ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    identities.put(row.getString(1), new ServerIdentity(row.getString(2), row.getInt(3)));
                }
            }
            return identities;
        });
    }

    /** Makes the shard-map database remember this as the identity of a server that it knows. */
    void remember(JdbcShardMapStore store, String server) {
        store.change(transaction -> {
            ServerIdentity before = null;
            try (PreparedStatement query = transaction.connection().prepareStatement("""
                    select "system_identifier", "timeline" from "shardmap_catalog"."server_identity" where "server" = ?
                    """)) {
                query.setString(1, server);
                try (ResultSet row = query.executeQuery()) {
                    if (row.next()) {
                        before = new ServerIdentity(row.getString(1), row.getInt(2));
                    }
                }
            }
            if (equals(before)) {
                return false;
            }
            try (PreparedStatement write = transaction.connection().prepareStatement(before == null ? """
                                    insert into "shardmap_catalog"."server_identity" ("system_identifier", "timeline", "server")
                                    values (?, ?, ?)
                                    """ : """
                                    update "shardmap_catalog"."server_identity" set "system_identifier" = ?, "timeline" = ?
                                     where "server" = ?
                                    """)) {
                write.setString(1, systemIdentifier);
                write.setInt(2, timeline);
                write.setString(3, server);
                write.executeUpdate();
            }
            transaction.audit("identity of server " + server, before == null ? null : before.toString(), toString());
            return true;
        });
    }

    @Override
    public String toString() {
        return "system " + systemIdentifier + ", timeline " + timeline;
    }
}
