package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks for what is in the way of the online method in particular. Changes nothing. */
final class OnlinePreflight {
    private static final int OLDEST_VERSION = 15;
    private static final int SUBSCRIPTION_ROLE_VERSION = 16;

    private final String prefix;
    private final String instead;
    private final int slots;
    private final Server source;
    private final Connection from;
    private final Server target;
    private final Connection to;
    private final List<PreflightProblem> problems = new ArrayList<>();

    private OnlinePreflight(
            String prefix, String instead, int slots, Server source, Connection from, Server target, Connection to) {
        this.prefix = prefix;
        this.instead = instead;
        this.slots = slots;
        this.source = source;
        this.from = from;
        this.target = target;
        this.to = to;
    }

    static OnlinePreflight there(Server source, Connection from, Server target, Connection to) {
        return new OnlinePreflight("", "; or move by the portable method", 1, source, from, target, to);
    }

    /** Looks at the stream back of a reversible move, of which the move's target is the source. Two slots are there for a moment. */
    static OnlinePreflight back(Server source, Connection from, Server target, Connection to) {
        return new OnlinePreflight("way back: ", "; or move without --reversible", 2, source, from, target, to);
    }

    List<PreflightProblem> problems(List<ShardedTable> tables, SourceAddress address) throws SQLException {
        if (supported(source, from) && supported(target, to)) {
            source();
            target();
            log();
            for (ShardedTable table : tables) {
                owner(table);
                identity(source, from, table);
                identity(target, to, table);
            }
            if (problems.stream().noneMatch(problem -> problem.kind() == Kind.NO_REPLICATION_PRIVILEGE)) {
                reach(address);
            }
        }
        return problems;
    }

    private boolean supported(Server server, Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        int version = connection.getMetaData().getDatabaseMajorVersion();
        boolean supported = product.equals("PostgreSQL") && version >= OLDEST_VERSION;
        if (!supported) {
            add(
                    Kind.ONLINE_UNSUPPORTED,
                    "online method must have PostgreSQL " + OLDEST_VERSION + " or newer: server=" + server.name()
                            + ", found=" + product + " " + version + "; move by the portable method");
        }
        return supported;
    }

    private void source() throws SQLException {
        try (Statement statement = from.createStatement();
                ResultSet row = statement.executeQuery("""
                        select current_setting('wal_level'),
                               current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots),
                               current_setting('max_wal_senders')::int
                                   - (select count(*) from pg_stat_activity where backend_type = 'walsender'),
                               (select rolsuper or rolreplication from pg_roles where rolname = current_user)
                                   and has_database_privilege(current_database(), 'CREATE'),
                               current_user,
                               (select string_agg(gid, ', ' order by prepared) from pg_prepared_xacts)
                        """)) {
            row.next();
            if (!row.getString(1).equals("logical")) {
                add(
                        Kind.WAL_LEVEL,
                        "wal_level must be logical on the source: server=" + source.name() + ", found="
                                + row.getString(1) + "; set it and restart the server" + instead);
            }
            if (row.getInt(2) < slots) {
                capacity(source, "max_replication_slots", slots);
            }
            if (row.getInt(3) < 1) {
                capacity(source, "max_wal_senders", 1);
            }
            if (!row.getBoolean(4)) {
                add(
                        Kind.NO_REPLICATION_PRIVILEGE,
                        "mover must be allowed to replicate and to create publications on the source: server="
                                + source.name() + ", role=" + row.getString(5)
                                + "; alter role ... replication, and grant create on database" + instead);
            }
            if (row.getString(6) != null) {
                add(
                        Kind.PREPARED_TRANSACTION,
                        "no prepared transaction may be open on the source, for a slot waits for it: server="
                                + source.name() + ", transactions=" + row.getString(6)
                                + "; commit or roll them back" + instead);
            }
        }
    }

    private void target() throws SQLException {
        boolean role = to.getMetaData().getDatabaseMajorVersion() >= SUBSCRIPTION_ROLE_VERSION;
        try (Statement statement = to.createStatement();
                ResultSet row = statement.executeQuery(String.format(Locale.ROOT, """
                        select current_setting('max_logical_replication_workers')::int
                                   - (select count(*) from pg_stat_subscription where pid is not null),
                               coalesce(current_setting('max_active_replication_origins', true),
                                        current_setting('max_replication_slots'))::int
                                   - (select count(*) from pg_replication_origin),
                               (select rolsuper from pg_roles where rolname = current_user) %s,
                               current_user
                        """, role ? """
                                or (pg_has_role('pg_create_subscription', 'USAGE')
                                    and has_database_privilege(current_database(), 'CREATE'))""" : ""))) {
            row.next();
            if (row.getInt(1) < 1) {
                capacity(target, "max_logical_replication_workers", 1);
            }
            if (row.getInt(2) < 1) {
                capacity(target, "max_replication_slots (max_active_replication_origins from PostgreSQL 18)", 1);
            }
            if (!row.getBoolean(3)) {
                add(
                        Kind.NO_REPLICATION_PRIVILEGE,
                        "mover must be allowed to create subscriptions on the target: server=" + target.name()
                                + ", role=" + row.getString(4)
                                + (role
                                        ? "; grant pg_create_subscription, and grant create on database"
                                        : "; PostgreSQL 15 needs a superuser")
                                + instead);
            }
        }
    }

    /** The statement that makes a subscription holds a password; a failing statement is logged by default. */
    private void log() throws SQLException {
        try (Statement statement = to.createStatement();
                ResultSet row = statement.executeQuery("""
                        select string_agg(name, ', '), current_user
                          from unnest(array['log_statement', 'log_min_duration_statement', 'log_min_error_statement']) name
                         where not has_parameter_privilege(name, 'SET')
                        """)) {
            row.next();
            if (row.getString(1) != null) {
                add(
                        Kind.NO_REPLICATION_PRIVILEGE,
                        "mover must be allowed to keep the replication password out of the target's log: server="
                                + target.name() + ", role=" + row.getString(2) + ", parameters=" + row.getString(1)
                                + "; grant set on parameter ... to the role" + instead);
            }
        }
    }

    private void capacity(Server server, String setting, int needed) {
        add(
                Kind.NO_REPLICATION_CAPACITY,
                (needed == 1 ? "one" : Integer.toString(needed)) + " more must be free of the server's " + setting
                        + ": server=" + server.name() + "; raise it, or drop what is no longer used" + instead);
    }

    private void owner(ShardedTable table) throws SQLException {
        try (PreparedStatement query = from.prepareStatement(
                "select current_user from pg_class where oid = to_regclass(?) and not pg_has_role(relowner, 'USAGE')")) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                if (row.next()) {
                    add(
                            Kind.NO_REPLICATION_PRIVILEGE,
                            "mover must own the tables that it publishes: server=" + source.name() + ", table="
                                    + table.qualifiedName() + ", role=" + row.getString(1)
                                    + "; alter table ... owner to, or grant it the owner's role" + instead);
                }
            }
        }
    }

    /** A filter column outside the replica identity makes every UPDATE and DELETE of the application fail once it is published. */
    private void identity(Server server, Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select c.oid::regclass::text from pg_class c
                where (c.oid = to_regclass(?) or c.oid in (select relid from pg_partition_tree(to_regclass(?))))
                  and not (c.relreplident = 'f' or exists (
                      select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
                      where i.indrelid = c.oid and a.attname = ?
                        and (c.relreplident = 'd' and i.indisprimary or c.relreplident = 'i' and i.indisreplident)))
                order by 1
                """)) {
            query.setString(1, table.sql());
            query.setString(2, table.sql());
            query.setString(3, table.shardColumn());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    add(
                            Kind.REPLICA_IDENTITY,
                            "replica identity of a table must cover the shard column: server=" + server.name()
                                    + ", table=" + row.getString(1) + ", column=" + table.shardColumn()
                                    + "; add the column to the primary key, or alter table ... replica identity using"
                                    + " index, or full" + instead);
                }
            }
        }
    }

    private void reach(SourceAddress address) {
        try {
            ChangeStream.probe(to, address);
        } catch (SQLException failure) {
            add(
                    Kind.SOURCE_UNREACHABLE,
                    "target must reach the source: source=" + source.name() + ", target=" + target.name() + ", error="
                            + failure.getMessage()
                            + "; name the address by which the target reaches it with `shardmap server add "
                            + source.name() + " --replication-url`" + instead);
        }
    }

    private void add(Kind kind, String message) {
        problems.add(new PreflightProblem(kind, prefix + message));
    }
}
