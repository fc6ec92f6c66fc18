package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.changes.ChangedRows;
import io.shardmap.migrate.table.TableShape;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Publication and slot on one server of a move, subscription on the other: all of one name, which is in the journal before the first of
 * them is made, so that whoever takes over finds them. Used by the mover's thread.
 */
final class ChangeStream {
    private static final Duration POLL = Duration.ofMillis(2);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** {@code too_many_connections} and {@code configuration_limit_exceeded}. */
    private static final Set<String> TOO_MANY = Set.of("53300", "53400");

    /** The apply worker tries again every five seconds; what fails so often will go on failing. */
    private static final int MOST_APPLY_ERRORS = 4;

    /** Which way changes go, of a move as it is recorded. */
    enum Way {
        /** From the source to the target. */
        THERE("STREAM", "shardmap_move_"),
        /** From the target to the source. */
        BACK("STREAM_BACK", "shardmap_back_");

        private final String step;
        private final String prefix;

        Way(String step, String prefix) {
            this.step = step;
            this.prefix = prefix;
        }

        /** Returns the step of the journal that names the stream. */
        String step() {
            return step;
        }
    }

    private final Run run;
    private final Way way;
    private final String name;
    private final String from;
    private final String to;
    private long errorsBefore;

    private ChangeStream(Run run, Way way, String name) {
        MoveStatus move = run.status();
        this.run = run;
        this.way = way;
        this.name = name;
        this.from = way == Way.THERE ? move.source() : move.target();
        this.to = way == Way.THERE ? move.target() : move.source();
    }

    /** Records the name of a new stream; makes nothing yet. */
    static ChangeStream record(Run run, Way way) {
        String name = way.prefix + run.move().id() + "_" + Integer.toHexString(RANDOM.nextInt() | 0x8000_0000);
        run.context().moves().record(run.move(), way.step, name);
        return new ChangeStream(run, way, name);
    }

    /** Returns the stream that was recorded last, null when none was. */
    static @Nullable ChangeStream latest(Run run, Way way) {
        List<ChangeStream> all = all(run, Set.of(way));
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    private static List<ChangeStream> all(Run run, Set<Way> ways) {
        List<ChangeStream> streams = new ArrayList<>();
        for (JournalEntry entry : run.context().moves().journal(run.move().id())) {
            for (Way way : ways) {
                if (entry.step().equals(way.step)) {
                    streams.add(new ChangeStream(run, way, String.valueOf(entry.detail())));
                }
            }
        }
        return streams;
    }

    /** Removes whatever a mover of this move made for streams of either way. */
    static void dropAll(Run run) {
        drop(run, EnumSet.allOf(Way.class));
    }

    /** Removes whatever a mover of this move made: first what writes rows, then what keeps write-ahead log, then the rest. */
    static void drop(Run run, Set<Way> ways) {
        List<ChangeStream> streams = all(run, ways);
        streams.forEach(ChangeStream::dropSubscription);
        run.reached(CrashPoint.AFTER_SUBSCRIPTION_DROPPED);
        streams.forEach(ChangeStream::dropSlots);
        run.reached(CrashPoint.AFTER_SLOT_DROPPED);
        streams.forEach(ChangeStream::dropPublication);
        run.reached(CrashPoint.AFTER_PUBLICATION_DROPPED);
    }

    /** Returns the name of publication, subscription, and the slot that the subscription reads. */
    String name() {
        return name;
    }

    /** Returns the name of the slot that a stream back has before it begins, see {@link ReverseStream}. */
    String earlySlot() {
        return name + "_early";
    }

    /** Returns the session on the server that publishes. */
    MoverSession publisher() {
        return run.session(from);
    }

    /** Returns the session on the server that subscribes. */
    MoverSession subscriber() {
        return run.session(to);
    }

    /** Publishes changes of the virtual shard's rows, and no TRUNCATE, which would empty the target's tables. */
    void publish() {
        String tables = run.map().tables().stream().map(this::published).collect(Collectors.joining(", "));
        publisher().runPatiently("create the publication", (on, dialect) -> {
            execute(
                    on,
                    "create publication " + name + " for table " + tables
                            + " with (publish = 'insert, update, delete', publish_via_partition_root = true)");
            return true;
        });
    }

    /** A partition of the virtual shard's own, which the subscriber has too, needs no filter; changes of others are not even looked at. */
    private String published(ShardedTable table) {
        Optional<OwnPartition> there = ownPartition(subscriber(), table);
        return ownPartition(publisher(), table)
                .filter(here -> there.filter(here::matches).isPresent())
                .map(OwnPartition::sql)
                .orElse(table.sql() + " where (" + table.columnSql() + " = "
                        + run.place().virtualShard() + ")");
    }

    private Optional<OwnPartition> ownPartition(MoverSession server, ShardedTable table) {
        return server.unchecked(
                "look for a partition",
                (on, dialect) -> OwnPartition.of(on, table, run.place().virtualShard()));
    }

    /** Returns the name of the temporary slot that {@link #follow} reads. */
    private String changesSlot() {
        return name + "_rows";
    }

    /**
     * Follows which rows change, from where the target has everything. The slot is a copy of the stream's, so it waits for no
     * transaction, and it ends with its connection. When the server has no more slots or senders, the changes are lost from the
     * beginning.
     */
    ChangedRows follow(List<TableShape> tables) {
        Map<String, String> partitions = new HashMap<>();
        for (TableShape table : tables) {
            ownPartition(publisher(), table.table())
                    .ifPresent(partition -> partitions.put(partition.fullName(), table.fullName()));
        }
        boolean followed = false;
        Connection connection = null;
        try {
            connection = openReplication(" rows");
            execute(
                    connection,
                    "select pg_copy_logical_replication_slot('" + name + "', '" + changesSlot() + "', true)");
            ChangedRows rows = ChangedRows.follow(connection, changesSlot(), name, partitions);
            followed = true;
            return rows;
        } catch (SQLException failure) {
            if (TOO_MANY.contains(failure.getSQLState())) {
                return ChangedRows.lost("server has no more slots or senders: server=" + from, failure);
            }
            throw ServerFailures.of(from, "follow the changes", failure);
        } finally {
            if (!followed && connection != null) {
                closeQuietly(connection);
            }
        }
    }

    private Connection openReplication(String purpose) throws SQLException {
        Connection connection = address()
                .openReplication(
                        PostgresMover.sessionName(run.place()) + run.move().lease() + purpose);
        connection.setNetworkTimeout(
                Runnable::run, (int) run.move().options().lockWait().toMillis());
        return connection;
    }

    /** A slot that was just made, and its snapshot, which others can import while this is open. */
    record Slot(String snapshot, Connection connection) {}

    /**
     * Makes a slot. The connection is open before the token is looked at: a successor that raises the token later ends it, and
     * whoever raised it before is found out.
     */
    Slot createSlot(String slot) {
        Connection connection = null;
        boolean made = false;
        try {
            connection = openReplication(" slot");
            publisher().run("hold the token", (on, dialect) -> true);
            String snapshot;
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "CREATE_REPLICATION_SLOT " + slot + " LOGICAL pgoutput (SNAPSHOT 'export')")) {
                row.next();
                snapshot = row.getString("snapshot_name");
            }
            made = true;
            return new Slot(snapshot, connection);
        } catch (SQLException failure) {
            throw slotFailure(slot, failure);
        } finally {
            if (!made && connection != null) {
                closeQuietly(connection);
            }
        }
    }

    private ShardMapException slotFailure(String slot, SQLException failure) {
        boolean timeout = failure.getCause() instanceof java.net.SocketTimeoutException;
        return timeout
                ? new ShardMapException(
                        ErrorCode.STEP_FAILED,
                        "slot must be made in time: server=" + from + ", slot=" + slot + ", waited="
                                + run.move().options().lockWait()
                                + "; end transactions that write for longer, and prepared ones",
                        failure)
                : ServerFailures.of(from, "create the slot", failure);
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException ignored) {
            // The session is gone, which is what was asked for.
        }
    }

    private SourceAddress address() {
        String url = way == Way.THERE ? run.move().options().online().sourceUrl() : null;
        return SourceAddress.of(run.context().pools(), run.map().server(from), url);
    }

    /** Starts to apply what happened since the beginning of the slot. */
    void subscribe() {
        String connection = address().forSubscription();
        subscriber().runPatiently("create the subscription", (on, dialect) -> {
            keepOutOfTheLog(on);
            // Streaming in parallel would make latest_end_lsn say more than what is applied.
            execute(
                    on,
                    "create subscription " + name + " connection " + literal(connection) + " publication " + name
                            + " with (slot_name = " + name
                            + ", create_slot = false, copy_data = false, enabled = true, streaming = off)");
            return true;
        });
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

    /** Where the publisher's write-ahead log ends now, of a session whose commits are flushed. */
    String position(MoverSession session) {
        return session.unchecked("read the position", (on, dialect) -> {
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

    /** Waits until everything up to a position is applied; false when it takes longer than the limit. */
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
        return subscriber().unchecked("look at the stream", (on, dialect) -> {
            try (PreparedStatement query = on.prepareStatement("""
                    select coalesce(s.latest_end_lsn >= ?::pg_lsn, false), u.subenabled
                      from pg_subscription u join pg_stat_subscription s on s.subid = u.oid and s.relid is null
                     where u.subname = ? and u.subdbid = (select oid from pg_database where datname = current_database())
                    """)) {
                query.setString(1, position);
                query.setString(2, name);
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next() || !row.getBoolean(2)) {
                        throw new ShardMapException(
                                ErrorCode.STEP_FAILED, "subscription must be there and enabled" + context());
                    }
                    return row.getBoolean(1);
                }
            }
        });
    }

    /**
     * Looks at lag and health, and tells the listener.
     *
     * @throws StreamLostException when the slot cannot go on, or keeps too much
     * @throws ShardMapException with {@link ErrorCode#STEP_FAILED} when changes are refused again and again
     */
    void check() {
        SlotHealth health = publisher().unchecked("look at the slot", (on, dialect) -> SlotHealth.read(on, name));
        run.context().listener().lag(run.status(), health.lag());
        String fault = health.fault(run.move().options().online().walLimit());
        if (fault != null) {
            throw new StreamLostException(fault + context());
        }
        long errors = applyErrors() - errorsBefore;
        if (errors > MOST_APPLY_ERRORS) {
            throw new ShardMapException(
                    ErrorCode.STEP_FAILED,
                    "changes must be accepted by the target: errors=" + errors + "; its log says which row"
                            + context());
        }
    }

    /** Forgets errors of before: a stream that has run for days may have got over them. */
    void forgetErrors() {
        errorsBefore = applyErrors();
    }

    private long applyErrors() {
        return subscriber().unchecked("look at the subscription", (on, dialect) -> {
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
    }

    private String context() {
        return ": stream=" + name + ", virtualShard=" + run.place() + ", source=" + from + ", target=" + to;
    }

    /** Returns whether the subscription is there. */
    boolean isSubscribed() {
        return subscriber().unchecked("look at the subscription", (on, dialect) -> isSubscribed(on));
    }

    private boolean isSubscribed(Connection on) throws SQLException {
        try (PreparedStatement query = on.prepareStatement("""
                select from pg_subscription where subname = ?
                   and subdbid = (select oid from pg_database where datname = current_database())
                """)) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    void dropSubscription() {
        subscriber().runPatiently("drop the subscription", (on, dialect) -> {
            if (isSubscribed(on)) {
                execute(on, "alter subscription " + name + " disable");
                execute(on, "alter subscription " + name + " set (slot_name = none)");
                execute(on, "drop subscription " + name);
            }
            return true;
        });
    }

    void dropPublication() {
        publisher().runPatiently("drop the publication", (on, dialect) -> {
            execute(on, "drop publication if exists " + name);
            return true;
        });
    }

    void dropSlots() {
        dropSlot(changesSlot());
        dropSlot(name);
        if (way == Way.BACK) {
            dropSlot(earlySlot());
        }
    }

    /** A slot that is being made is not listed; the session that makes it is ended first. */
    void dropSlot(String slot) {
        long start = System.nanoTime();
        while (!publisher().run("drop the slot", (on, dialect) -> {
            return dialect.endOthers(on, run.place(), run.move().lease()) == 0 && dropped(on, slot);
        })) {
            if (System.nanoTime() - start > run.move().options().lockWait().toNanos()) {
                throw new ShardMapException(
                        ErrorCode.STEP_FAILED,
                        "slot must become free: server=" + from + ", slot=" + slot
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
