package io.shardmap.jdbc.server;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** PostgreSQL 15 and later: advisory locks, plpgsql functions, guard triggers. */
final class PostgresDialect implements ServerDialect {
    static final PostgresDialect INSTANCE = new PostgresDialect();

    /** Serialises installations on one server: reserved lock constant, "whole server". */
    private static final String INSTALL_LOCK = "select pg_advisory_xact_lock(1397555200, -2)";

    private static final String ENTER_MAP = "select virtual_shard, epoch, owned, holds_copies from shardmap.enter_map";
    private static final int LOCK_BASE = 1_397_555_200;

    private PostgresDialect() {}

    @Override
    public void install(Connection connection) throws SQLException {
        inTransaction(connection, () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(INSTALL_LOCK);
                int installed = installedVersion(connection);
                if (installed > VERSION) {
                    throw new ShardMapException(
                            ErrorCode.NOT_SUPPORTED,
                            "server objects must not be newer than this version knows: installed=" + installed
                                    + ", known=" + VERSION + "; upgrade Shardmap here");
                }
                if (installed < VERSION) {
                    statement.execute(InstallScript.read("postgresql.sql"));
                    statement.execute("insert into shardmap.installation (version) values (" + VERSION + ")");
                }
            }
        });
    }

    @Override
    public int installedVersion(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select to_regclass('shardmap.installation') is not null")) {
                row.next();
                if (!row.getBoolean(1)) {
                    return 0;
                }
            }
            try (ResultSet row =
                    statement.executeQuery("select coalesce(max(version), 0) from shardmap.installation")) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Override
    public void installGuard(Connection connection, int mapNumber, ShardedTable table) throws SQLException {
        String function =
                "shardmap." + ShardedTable.quote(shortened("guard " + mapNumber + " " + table.qualifiedName()));
        String column = table.columnSql();
        inTransaction(connection, () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(INSTALL_LOCK);
                statement.execute(
                        "create or replace function " + function + String.format(Locale.ROOT, """
                        () returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $guard$
                        begin
                            if tg_op <> 'INSERT' then
                                perform shardmap.guard_row(%1$d, old.%2$s::int);
                            end if;
                            if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.%2$s is distinct from old.%2$s) then
                                perform shardmap.guard_row(%1$d, new.%2$s::int);
                            end if;
                            if tg_op = 'UPDATE' and new.%2$s is distinct from old.%2$s then
                                raise exception 'row must stay in its virtual shard: table %%.%%, from %% to %%',
                                    tg_table_schema, tg_table_name, old.%2$s, new.%2$s
                                    using errcode = 'SM007', hint = 'DELETE it, then INSERT it with its new key.';
                            end if;
                            return case when tg_op = 'DELETE' then old else new end;
                        end $guard$
                        """, mapNumber, column));
                statement.execute("create or replace trigger shardmap_guard before insert or update or delete on "
                        + table.sql() + " for each row execute function " + function + "()");
                for (String truncated : withPartitions(connection, table)) {
                    statement.execute("create or replace trigger shardmap_guard_truncate before truncate on "
                            + truncated + " for each statement execute function shardmap.guard_truncate()");
                }
            }
        });
    }

    /** Partitions inherit triggers for each row, but none for a statement. */
    private static List<String> withPartitions(Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "select to_regclass(?)::text union select relid::text from pg_partition_tree(to_regclass(?))")) {
            query.setString(1, table.sql());
            query.setString(2, table.sql());
            List<String> tables = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    tables.add(row.getString(1));
                }
            }
            return tables;
        }
    }

    /** Identifiers longer than 63 bytes would be cut by the server, and two could become one. */
    private static String shortened(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40) + " " + Integer.toHexString(name.hashCode());
    }

    @Override
    public boolean guarded(Connection connection, ShardedTable table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select exists (select 1 from pg_trigger
                    where tgrelid = to_regclass(?) and tgname = 'shardmap_guard' and tgenabled in ('O', 'A'))
                """)) {
            statement.setString(1, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Override
    public boolean oneRoundTrip() {
        return true;
    }

    @Override
    public boolean fetchesInBatches() {
        return true;
    }

    /** The driver's statement cancels only what its own execution runs, not a fetch. */
    @Override
    public void cancel(Connection physical, Statement statement) throws SQLException {
        physical.unwrap(PGConnection.class).cancelQuery();
    }

    /** The SQLSTATE is that of all that is not supported; the place in the server's code tells this error from the others. */
    @Override
    public boolean isStalePlan(SQLException error) {
        ServerErrorMessage message = error instanceof PSQLException failure ? failure.getServerErrorMessage() : null;
        return message != null
                && "0A000".equals(message.getSQLState())
                && "RevalidateCachedQuery".equals(message.getRoutine());
    }

    @Override
    public TransactionStatus transactionStatus(Connection physical) throws SQLException {
        return switch (physical.unwrap(BaseConnection.class).getTransactionState()) {
            case IDLE -> TransactionStatus.IDLE;
            case OPEN -> TransactionStatus.OPEN;
            case FAILED -> TransactionStatus.FAILED;
        };
    }

    @Override
    public boolean automaticSavepoints(Connection physical) throws SQLException {
        return physical.unwrap(BaseConnection.class).getAutosave() != AutoSave.NEVER;
    }

    @Override
    public void enter(Connection physical, Route route) throws SQLException {
        try (PreparedStatement statement = physical.prepareStatement("select shardmap.enter(?,?,?)")) {
            bind(statement, route);
            statement.execute();
        }
    }

    @Override
    public Refusal tryEnter(Connection physical, Route route) throws SQLException {
        try (PreparedStatement statement = physical.prepareStatement("select shardmap.admit(?,?,?)")) {
            bind(statement, route);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return switch (row.getString(1)) {
                    case "OK" -> Refusal.NONE;
                    case "FENCED" -> Refusal.FENCED;
                    default -> Refusal.STALE;
                };
            }
        }
    }

    private static void bind(PreparedStatement statement, Route route) throws SQLException {
        statement.setInt(1, route.mapNumber());
        statement.setInt(2, route.virtualShard());
        statement.setLong(3, route.epoch());
    }

    @Override
    public List<OwnershipRow> enterMap(Connection physical, int mapNumber) throws SQLException {
        try (PreparedStatement statement = physical.prepareStatement(ENTER_MAP + "(?)")) {
            statement.setInt(1, mapNumber);
            return ownership(statement.executeQuery());
        }
    }

    @Override
    public List<OwnershipRow> enterAll(Connection physical, int mapNumber) throws SQLException {
        enterMap(
                physical, mapNumber); // in a statement of its own: what follows sees what was committed before the lock
        try (PreparedStatement statement = physical.prepareStatement("""
                select virtual_shard, epoch, state <> 'CLOSED' and shardmap.admit(map_number, virtual_shard, epoch) = 'OK', holds_copies
                from (select * from shardmap.ownership where map_number = ? order by virtual_shard) listed
                """)) {
            statement.setInt(1, mapNumber);
            return ownership(statement.executeQuery());
        }
    }

    private static List<OwnershipRow> ownership(ResultSet listed) throws SQLException {
        List<OwnershipRow> rows = new ArrayList<>();
        try (ResultSet row = listed) {
            while (row.next()) {
                rows.add(new OwnershipRow(row.getInt(1), row.getLong(2), row.getBoolean(3), row.getBoolean(4)));
            }
        }
        return rows;
    }

    /**
     * The first statement of such a transaction takes the snapshot, also when it waits for the lock itself. So the session takes the lock
     * first, and gives it up once the transaction has it too.
     */
    @Override
    public List<OwnershipRow> enterSnapshot(Connection physical, Statement statement, int mapNumber)
            throws SQLException {
        String lock = "(" + (LOCK_BASE + mapNumber) + ", -1)";
        boolean entered = false;
        try {
            statement.execute("select pg_advisory_lock_shared" + lock);
            physical.setAutoCommit(false);
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            List<OwnershipRow> rows = ownership(statement.executeQuery(ENTER_MAP + "(" + mapNumber + ")"));
            statement.execute("select pg_advisory_unlock_shared" + lock);
            entered = true;
            return rows;
        } finally {
            if (!entered) {
                physical.abort(Runnable::run); // the pool must not keep a session with the lock
            }
        }
    }

    @Override
    public Refusal refusalOf(SQLException error) {
        String state = error.getSQLState();
        if ("SM001".equals(state)) {
            return Refusal.STALE;
        }
        return "SM002".equals(state) ? Refusal.FENCED : Refusal.NONE;
    }

    private interface Work {
        void run() throws SQLException;
    }

    private static void inTransaction(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            work.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
