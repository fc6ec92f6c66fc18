package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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

    /** Returns what is in the way; a slot is waited for so long at most. */
    List<PreflightProblem> problems(List<ShardedTable> tables, SourceAddress address, Duration wait)
            throws SQLException {
        if (supported(source, from) && supported(target, to)) {
            source();
            for (PreflightProblem waits : SlotWaits.look(source.name(), from, wait)) {
                add(waits.kind(), waits.message() + instead);
            }
            target();
            log();
            for (PreflightProblem table : new StreamedTables(source, from, target, to).problems(tables)) {
                add(table.kind(), table.message() + instead);
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
                               current_user
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
