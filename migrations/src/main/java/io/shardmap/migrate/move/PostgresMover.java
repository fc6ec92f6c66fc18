package io.shardmap.migrate.move;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Advisory locks, row locks in share mode, sessions that can be ended. */
final class PostgresMover implements MoverDialect {
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String OWNERSHIP = """
            select epoch, state, coalesce(fenced_until >= clock_timestamp(), false), holds_copies
            from shardmap.ownership where map_number = ? and virtual_shard = ?""";

    @Override
    public void prepareSession(Connection connection, Place place, long token) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement settings = connection.prepareStatement("""
                select set_config('application_name', ?, false), set_config('shardmap.mover_token', ?, false),
                    set_config('synchronous_commit', case when current_setting('synchronous_commit') in ('off', 'local')
                        then 'on' else current_setting('synchronous_commit') end, false),
                    set_config('lock_timeout', '2s', false), set_config('statement_timeout', '0', false),
                    set_config('idle_in_transaction_session_timeout', '0', false),
                    set_config('idle_session_timeout', '0', false),
                    set_config('default_transaction_isolation', 'read committed', false),
                    set_config('datestyle', 'ISO', false), set_config('intervalstyle', 'iso_8601', false),
                    set_config('timezone', 'UTC', false), set_config('extra_float_digits', '3', false),
                    set_config('bytea_output', 'hex', false), set_config('xmloption', 'content', false),
                    set_config('lc_monetary', 'C', false), set_config('row_security', 'off', false)
                """)) {
            settings.setString(1, sessionName(place) + token);
            settings.setString(2, Long.toString(token));
            settings.execute();
        }
        connection.commit();
    }

    /** Map number instead of name: an application name is cut at 63 bytes. */
    static String sessionName(Place place) {
        return "shardmap-mover " + place.map() + "/" + place.virtualShard() + " ";
    }

    @Override
    public void prepareLocks(Connection connection, Place place) {}

    @Override
    public long token(Connection connection, Place place) throws SQLException {
        try (PreparedStatement query = prepare(
                        connection,
                        "select token from shardmap.mover_token where map_number = ? and virtual_shard = ?",
                        place);
                ResultSet row = query.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    @Override
    public boolean raiseToken(Connection connection, Place place, long token) throws SQLException {
        try (PreparedStatement update = prepare(connection, """
                insert into shardmap.mover_token as t (map_number, virtual_shard, token) values (?, ?, ?)
                on conflict (map_number, virtual_shard) do update set token = excluded.token where t.token < excluded.token
                """, place)) {
            update.setLong(3, token);
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public int endOthers(Connection connection, Place place, long token) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select count(pg_terminate_backend(pid)) from pg_stat_activity
                where datname = current_database() and starts_with(application_name, ?) and application_name <> ?
                """)) {
            query.setString(1, sessionName(place));
            query.setString(2, sessionName(place) + token);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Override
    public boolean holdToken(Connection connection, Place place, long token) throws SQLException {
        try (PreparedStatement query = prepare(
                connection,
                "select 1 from shardmap.mover_token where map_number = ? and virtual_shard = ? and token = ? for share",
                place)) {
            query.setLong(3, token);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    public boolean tryLock(Connection connection, Place place, LockScope scope) throws SQLException {
        // One round trip: whoever waits for the virtual shard waits for this too.
        try (PreparedStatement lock = connection.prepareStatement("set local lock_timeout = '100ms'; select"
                + " pg_advisory_xact_lock(1397555200 + ?, ?); set local lock_timeout = '2s'")) {
            lock.setInt(1, place.map());
            lock.setInt(2, scope.key(place));
            lock.execute();
            return true;
        } catch (SQLException failure) {
            if (LOCK_NOT_AVAILABLE.equals(failure.getSQLState())) {
                return false;
            }
            throw failure;
        }
    }

    @Override
    public Ownership ownership(Connection connection, Place place) throws SQLException {
        return read(connection, place, OWNERSHIP);
    }

    @Override
    public Ownership holdOwnership(Connection connection, Place place) throws SQLException {
        return read(connection, place, OWNERSHIP + " for share");
    }

    private static Ownership read(Connection connection, Place place, String sql) throws SQLException {
        try (PreparedStatement query = prepare(connection, sql, place);
                ResultSet row = query.executeQuery()) {
            return row.next()
                    ? new Ownership(
                            row.getLong(1),
                            Ownership.State.valueOf(row.getString(2)),
                            row.getBoolean(3),
                            row.getBoolean(4))
                    : Ownership.NONE;
        }
    }

    @Override
    public void fence(Connection connection, Place place, Duration time) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update shardmap.ownership
                set state = 'FENCED', fenced_until = clock_timestamp() + ? * interval '1 millisecond'
                where map_number = ? and virtual_shard = ?
                """)) {
            update.setLong(1, time.toMillis());
            update.setInt(2, place.map());
            update.setInt(3, place.virtualShard());
            update.executeUpdate();
        }
    }

    @Override
    public boolean write(Connection connection, Place place, Ownership.State state, long epoch, boolean holdsCopies)
            throws SQLException {
        try (PreparedStatement update = prepare(connection, """
                insert into shardmap.ownership as o (map_number, virtual_shard, epoch, state, holds_copies)
                values (?, ?, ?, ?, ?)
                on conflict (map_number, virtual_shard) do update
                    set epoch = excluded.epoch, state = excluded.state, fenced_until = null, holds_copies = excluded.holds_copies
                    where o.epoch <= excluded.epoch
                """, place)) {
            update.setLong(3, epoch);
            update.setString(4, state.name());
            update.setBoolean(5, holdsCopies);
            return update.executeUpdate() == 1;
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Place place) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setInt(1, place.map());
        statement.setInt(2, place.virtualShard());
        return statement;
    }
}
