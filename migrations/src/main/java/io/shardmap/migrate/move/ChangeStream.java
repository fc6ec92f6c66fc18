package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Publication and slot on the source, subscription on the target: all of one name, which is in the journal before the first of them is
 * made, so that whoever takes over finds them. Used by the mover's thread.
 */
final class ChangeStream {
    private static final String STEP = "STREAM";
    private static final Duration POLL = Duration.ofMillis(2);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The apply worker tries again every five seconds; what fails so often will go on failing. */
    private static final int MOST_APPLY_ERRORS = 4;

    private final Run run;
    private final String name;

    private ChangeStream(Run run, String name) {
        this.run = run;
        this.name = name;
    }

    /** Records the name of a new stream; makes nothing yet. */
    static ChangeStream record(Run run) {
        String name = "shardmap_move_" + run.move().id() + "_" + Integer.toHexString(RANDOM.nextInt() | 0x8000_0000);
        run.context().moves().record(run.move(), STEP, name);
        run.reached(CrashPoint.AFTER_STREAM_RECORDED);
        return new ChangeStream(run, name);
    }

    /** Returns the stream that was recorded last, null when none was. */
    static @Nullable ChangeStream latest(Run run) {
        List<String> names = names(run);
        return names.isEmpty() ? null : new ChangeStream(run, names.get(names.size() - 1));
    }

    private static List<String> names(Run run) {
        return run.context().moves().journal(run.move().id()).stream()
                .filter(entry -> entry.step().equals(STEP))
                .map(entry -> String.valueOf(entry.detail()))
                .distinct()
                .toList();
    }

    /** Removes whatever a mover of this move made: first what writes on the target, then what keeps write-ahead log, then the rest. */
    static void dropAll(Run run) {
        List<String> names = names(run);
        names.forEach(name -> dropSubscription(run, name));
        run.reached(CrashPoint.AFTER_SUBSCRIPTION_DROPPED);
        names.forEach(name -> dropSlot(run, name));
        run.reached(CrashPoint.AFTER_SLOT_DROPPED);
        names.forEach(name -> run.source().runPatiently("drop the publication", (on, dialect) -> {
            execute(on, "drop publication if exists " + name);
            return true;
        }));
        run.reached(CrashPoint.AFTER_PUBLICATION_DROPPED);
    }

    /** Publishes changes of the virtual shard's rows, and no TRUNCATE, which would empty the target's tables. */
    void publish() {
        int shard = run.place().virtualShard();
        String tables = run.map().tables().stream()
                .map(table -> table.sql() + " where (" + table.columnSql() + " = " + shard + ")")
                .collect(Collectors.joining(", "));
        run.source().runPatiently("create the publication", (on, dialect) -> {
            execute(
                    on,
                    "create publication " + name + " for table " + tables
                            + " with (publish = 'insert, update, delete', publish_via_partition_root = true)");
            return true;
        });
        run.reached(CrashPoint.AFTER_PUBLICATION);
    }

    /** A slot that was just made, and its snapshot, which others can import while this is open. */
    record Slot(String snapshot, Connection connection) {}

    /**
     * Makes the slot. The connection is open before the token is looked at: a successor that raises the token later ends it, and
     * whoever raised it before is found out.
     */
    Slot createSlot() {
        String server = run.move().source();
        SourceAddress address = address();
        Connection connection = null;
        boolean made = false;
        try {
            connection = address.openReplication(
                    PostgresMover.sessionName(run.place()) + run.move().lease() + " slot");
            run.source().run("hold the token", (on, dialect) -> true);
            int wait = (int) run.move().options().lockWait().toMillis();
            connection.setNetworkTimeout(Runnable::run, wait);
            String snapshot;
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "CREATE_REPLICATION_SLOT " + name + " LOGICAL pgoutput (SNAPSHOT 'export')")) {
                row.next();
                snapshot = row.getString("snapshot_name");
            }
            made = true;
            return new Slot(snapshot, connection);
        } catch (SQLException failure) {
            throw slotFailure(server, failure);
        } finally {
            if (!made && connection != null) {
                closeQuietly(connection);
            }
        }
    }

    private ShardMapException slotFailure(String server, SQLException failure) {
        boolean timeout = failure.getCause() instanceof java.net.SocketTimeoutException;
        return timeout
                ? new ShardMapException(
                        ErrorCode.STEP_FAILED,
                        "slot must be made in time: server=" + server + ", slot=" + name + ", waited="
                                + run.move().options().lockWait()
                                + "; end transactions that write for longer, and prepared ones",
                        failure)
                : ServerFailures.of(server, "create the slot", failure);
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException ignored) {
            // The session is gone, which is what was asked for.
        }
    }

    private SourceAddress address() {
        return SourceAddress.of(
                run.context().pools(),
                run.map().server(run.move().source()),
                run.move().options().online());
    }

    /** Starts to apply on the target what happened on the source since the slot was made. */
    void subscribe() {
        String connection = address().forSubscription();
        run.target().runPatiently("create the subscription", (on, dialect) -> {
            keepOutOfTheLog(on);
            // Streaming in parallel would make latest_end_lsn say more than what is applied.
            execute(
                    on,
                    "create subscription " + name + " connection " + literal(connection) + " publication " + name
                            + " with (slot_name = " + name
                            + ", create_slot = false, copy_data = false, enabled = true, streaming = off)");
            return true;
        });
        run.reached(CrashPoint.AFTER_SUBSCRIPTION);
    }

    /** Tries from the target whether it reaches the source, in a transaction that is rolled back. */
    static void probe(Connection target, SourceAddress address) throws SQLException {
        boolean autoCommit = target.getAutoCommit();
        target.setAutoCommit(false);
        try {
            keepOutOfTheLog(target);
            String name = "shardmap_probe_" + Integer.toHexString(RANDOM.nextInt() | 0x8000_0000);
            execute(
                    target,
                    "create subscription " + name + " connection " + literal(address.forSubscription())
                            + " publication " + name + " with (slot_name = " + name
                            + ", create_slot = false, copy_data = false, enabled = false)");
        } finally {
            target.rollback();
            target.setAutoCommit(autoCommit);
        }
    }

    /** The statement holds a password. Who is no superuser needs to be granted SET on these parameters. */
    private static void keepOutOfTheLog(Connection connection) throws SQLException {
        try (PreparedStatement settings = connection.prepareStatement("""
                select set_config(name, value, true)
                  from (values ('log_statement', 'none'), ('log_min_duration_statement', '-1'),
                               ('log_min_error_statement', 'panic')) as quiet (name, value)
                 where has_parameter_privilege(name, 'SET')
                """)) {
            settings.execute();
        }
    }

    private static String literal(String text) {
        String doubled = text.replace("'", "''");
        return text.indexOf('\\') < 0 ? "'" + doubled + "'" : "E'" + doubled.replace("\\", "\\\\") + "'";
    }

    /** Where the source's write-ahead log ends now, of a session whose commits are flushed. */
    String position(MoverSession source) {
        return source.run("read the position", (on, dialect) -> {
            try (Statement query = on.createStatement();
                    ResultSet row =
                            query.executeQuery("select pg_current_wal_insert_lsn()::text, pg_logical_emit_message(true,"
                                    + " 'shardmap', 'position')")) {
                row.next();
                // The message lies behind the position; its commit flushes both, so that the stream gets past it.
                return row.getString(1);
            }
        });
    }

    /** Waits until everything up to a position is applied on the target; false when it takes longer than the limit. */
    boolean awaitApplied(String position, Duration limit) {
        long start = System.nanoTime();
        while (!applied(position)) {
            if (System.nanoTime() - start > limit.toNanos()) {
                return false;
            }
            Waiting.pause(this, POLL);
        }
        return true;
    }

    private boolean applied(String position) {
        return run.target().unchecked("look at the stream", (on, dialect) -> {
            try (PreparedStatement query = on.prepareStatement("""
                    select coalesce(s.latest_end_lsn >= ?::pg_lsn, false), u.subenabled
                      from pg_subscription u join pg_stat_subscription s on s.subid = u.oid and s.relid is null
                     where u.subname = ? and u.subdbid = (select oid from pg_database where datname = current_database())
                    """)) {
                query.setString(1, position);
                query.setString(2, name);
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next() || !row.getBoolean(2)) {
                        throw broken("subscription must be enabled on the target");
                    }
                    return row.getBoolean(1);
                }
            }
        });
    }

    /**
     * Looks at lag and health, and tells the listener.
     *
     * @throws ShardMapException with {@link ErrorCode#STEP_FAILED} when the stream cannot go on, or the source keeps too much for it
     */
    void check() {
        long kept = run.source().unchecked("look at the slot", (on, dialect) -> {
            try (PreparedStatement query = on.prepareStatement("""
                    select coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint,
                           coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn), 0)::bigint, coalesce(wal_status, '')
                      from pg_replication_slots where slot_name = ?
                    """)) {
                query.setString(1, name);
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next() || row.getString(3).equals("lost")) {
                        throw broken("slot must be there and keep its write-ahead log on the source");
                    }
                    run.context().listener().lag(run.move(), row.getLong(2));
                    return row.getLong(1);
                }
            }
        });
        if (kept > run.move().options().online().walLimit()) {
            throw broken("slot must not keep more write-ahead log than the limit: kept=" + kept + ", limit="
                    + run.move().options().online().walLimit());
        }
        long errors = run.target().unchecked("look at the subscription", (on, dialect) -> {
            try (PreparedStatement query = on.prepareStatement("""
                    select coalesce(sum(apply_error_count), 0) from pg_stat_subscription_stats where subname = ?
                    """)) {
                query.setString(1, name);
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            }
        });
        if (errors > MOST_APPLY_ERRORS) {
            throw broken("changes must be accepted by the target: errors=" + errors + "; its log says which row");
        }
    }

    private ShardMapException broken(String rule) {
        return new ShardMapException(
                ErrorCode.STEP_FAILED,
                rule + ": stream=" + name + ", virtualShard=" + run.place() + ", source="
                        + run.move().source() + ", target=" + run.move().target());
    }

    private static void dropSubscription(Run run, String name) {
        run.target().runPatiently("drop the subscription", (on, dialect) -> {
            try (PreparedStatement query = on.prepareStatement("""
                    select from pg_subscription where subname = ?
                       and subdbid = (select oid from pg_database where datname = current_database())
                    """)) {
                query.setString(1, name);
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next()) {
                        return false;
                    }
                }
            }
            execute(on, "alter subscription " + name + " disable");
            execute(on, "alter subscription " + name + " set (slot_name = none)");
            execute(on, "drop subscription " + name);
            return true;
        });
    }

    /** A slot that is being made is not listed; the session that makes it is ended first. */
    private static void dropSlot(Run run, String name) {
        long start = System.nanoTime();
        while (!run.source().run("drop the slot", (on, dialect) -> {
            return dialect.endOthers(on, run.place(), run.move().lease()) == 0 && dropped(on, name);
        })) {
            if (System.nanoTime() - start > run.move().options().lockWait().toNanos()) {
                throw new ShardMapException(
                        ErrorCode.STEP_FAILED,
                        "slot must become free: server=" + run.move().source() + ", slot=" + name
                                + "; end the session that uses it, then resume");
            }
            Waiting.pause(run, PAUSE);
        }
    }

    private static boolean dropped(Connection on, String name) throws SQLException {
        try (PreparedStatement query =
                on.prepareStatement("select active_pid from pg_replication_slots where slot_name = ?")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return true;
                }
                int user = row.getInt(1);
                execute(
                        on,
                        user == 0
                                ? "select pg_drop_replication_slot('" + name + "')"
                                : "select pg_terminate_backend(" + user + ")");
                return user == 0;
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
