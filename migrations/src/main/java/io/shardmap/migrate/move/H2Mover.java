package io.shardmap.migrate.move;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;

/** Rows to lock instead of advisory locks. */
final class H2Mover implements MoverDialect {
    /** Lock timeout, deadlock, and a row changed meanwhile. */
    private static final Set<String> LOCK_NOT_AVAILABLE = Set.of("HYT00", "40001");

    private static final int SLOTS = 16;

    @Override
    public void prepareSession(Connection connection, Place place, long token) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout 2000");
        }
        connection.commit();
    }

    @Override
    public void prepareLocks(Connection connection, Place place) throws SQLException {
        try (PreparedStatement merge = connection.prepareStatement("""
                merge into "shardmap"."lock_row" ("map_number", "virtual_shard", "slot") key ("map_number", "virtual_shard", "slot")
                values (?, ?, ?)
                """)) {
            for (LockScope scope : LockScope.values()) {
                if (!complete(connection, place, scope)) {
                    for (int slot = 0; slot < SLOTS; slot++) {
                        merge.setInt(1, place.map());
                        merge.setInt(2, scope.key(place));
                        merge.setInt(3, slot);
                        merge.addBatch();
                    }
                }
            }
            merge.executeBatch();
        }
    }

    private static boolean complete(Connection connection, Place place, LockScope scope) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                select count(*) from "shardmap"."lock_row" where "map_number" = ? and "virtual_shard" = ?
                """)) {
            query.setInt(1, place.map());
            query.setInt(2, scope.key(place));
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1) == SLOTS;
            }
        }
    }

    @Override
    public long token(Connection connection, Place place) throws SQLException {
        try (PreparedStatement query = prepare(connection, """
                        select "token" from "shardmap"."mover_token" where "map_number" = ? and "virtual_shard" = ?
                        """, place);
                ResultSet row = query.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    @Override
    public boolean raiseToken(Connection connection, Place place, long token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                merge into "shardmap"."mover_token" t using (values (?, ?, cast(? as bigint))) s (m, v, n)
                on t."map_number" = s.m and t."virtual_shard" = s.v
                when matched and t."token" < s.n then update set "token" = s.n
                when not matched then insert ("map_number", "virtual_shard", "token") values (s.m, s.v, s.n)
                """)) {
            update.setInt(1, place.map());
            update.setInt(2, place.virtualShard());
            update.setLong(3, token);
            return update.executeUpdate() == 1;
        }
    }

    /** H2 tells nothing about the sessions of a mover; its row lock on the token makes a successor wait for its transaction instead. */
    @Override
    public int endOthers(Connection connection, Place place, long token) {
        return 0;
    }

    @Override
    public boolean holdToken(Connection connection, Place place, long token) throws SQLException {
        try (PreparedStatement query = prepare(connection, """
                select "token" from "shardmap"."mover_token" where "map_number" = ? and "virtual_shard" = ? for update
                """, place)) {
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getLong(1) == token;
            }
        }
    }

    @Override
    public boolean tryLock(Connection connection, Place place, LockScope scope) throws SQLException {
        try (Statement timeout = connection.createStatement();
                PreparedStatement lock = connection.prepareStatement("""
                        select "slot" from "shardmap"."lock_row" where "map_number" = ? and "virtual_shard" = ? for update
                        """)) {
            timeout.execute("set lock_timeout 100");
            lock.setInt(1, place.map());
            lock.setInt(2, scope.key(place));
            lock.executeQuery().close();
            timeout.execute("set lock_timeout 2000");
            return true;
        } catch (SQLException failure) {
            if (LOCK_NOT_AVAILABLE.contains(failure.getSQLState())) {
                return false;
            }
            throw failure;
        }
    }

    @Override
    public Ownership ownership(Connection connection, Place place) throws SQLException {
        return read(connection, place, "");
    }

    @Override
    public Ownership holdOwnership(Connection connection, Place place) throws SQLException {
        return read(connection, place, " for update");
    }

    private static Ownership read(Connection connection, Place place, String lock) throws SQLException {
        try (PreparedStatement query = prepare(connection, """
                        select "epoch", "state", "fenced_until", "holds_copies" from "shardmap"."ownership"
                        where "map_number" = ? and "virtual_shard" = ?""" + lock, place);
                ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                return Ownership.NONE;
            }
            OffsetDateTime until = row.getObject(3, OffsetDateTime.class);
            return new Ownership(
                    row.getLong(1),
                    Ownership.State.valueOf(row.getString(2)),
                    until != null && !until.isBefore(now(connection)),
                    row.getBoolean(4));
        }
    }

    /** When the statement that asks began: within a transaction, {@code CURRENT_TIMESTAMP} stands still. */
    private static OffsetDateTime now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select EXECUTING_STATEMENT_START from INFORMATION_SCHEMA.SESSIONS where SESSION_ID = session_id()
                        """)) {
            row.next();
            return row.getObject(1, OffsetDateTime.class);
        }
    }

    @Override
    public void fence(Connection connection, Place place, Duration time) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update "shardmap"."ownership" set "state" = 'FENCED', "fenced_until" = ?
                where "map_number" = ? and "virtual_shard" = ?
                """)) {
            update.setObject(1, now(connection).plus(time));
            update.setInt(2, place.map());
            update.setInt(3, place.virtualShard());
            update.executeUpdate();
        }
    }

    @Override
    public boolean write(Connection connection, Place place, Ownership.State state, long epoch, boolean holdsCopies)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                merge into "shardmap"."ownership" o
                using (values (?, ?, cast(? as bigint), cast(? as varchar(6)), cast(? as boolean))) s (m, v, e, st, h)
                on o."map_number" = s.m and o."virtual_shard" = s.v
                when matched and o."epoch" <= s.e then
                    update set "epoch" = s.e, "state" = s.st, "fenced_until" = null, "holds_copies" = s.h
                when not matched then
                    insert ("map_number", "virtual_shard", "epoch", "state", "holds_copies")
                    values (s.m, s.v, s.e, s.st, s.h)
                """)) {
            update.setInt(1, place.map());
            update.setInt(2, place.virtualShard());
            update.setLong(3, epoch);
            update.setString(4, state.name());
            update.setBoolean(5, holdsCopies);
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public String incarnation(Connection connection) {
        return "";
    }

    private static PreparedStatement prepare(Connection connection, String sql, Place place) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setInt(1, place.map());
        statement.setInt(2, place.virtualShard());
        return statement;
    }
}
