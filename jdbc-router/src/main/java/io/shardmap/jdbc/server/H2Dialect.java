package io.shardmap.jdbc.server;

import io.shardmap.ErrorCode;
import io.shardmap.Route;
import io.shardmap.Server;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * H2, for demos and fast tests. It has neither shared locks nor several statements in one message: a transaction locks one of
 * {@link #SLOTS} rows of its virtual shard, a mover locks all of them.
 */
final class H2Dialect implements ServerDialect {
    static final H2Dialect INSTANCE = new H2Dialect();

    /** Transactions that can be in one virtual shard at once; more wait for each other. */
    static final int SLOTS = 16;

    private static final String STALE = "SM001";
    private static final String FENCED = "SM002";

    private H2Dialect() {}

    @Override
    public void install(Connection connection) throws SQLException {
        int installed = installedVersion(connection);
        if (installed > VERSION) {
            throw new ShardMapException(
                    ErrorCode.NOT_SUPPORTED,
                    "server objects must not be newer than this version knows: installed=" + installed + ", known="
                            + VERSION + "; upgrade Shardmap here");
        }
        if (installed < VERSION) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(InstallScript.read("h2.sql"));
                statement.execute("insert into \"shardmap\".\"installation\" (\"version\") values (" + VERSION + ")");
            }
        }
    }

    @Override
    public int installedVersion(Connection connection) throws SQLException {
        try (ResultSet tables = connection.getMetaData().getTables(null, "shardmap", "installation", null)) {
            if (!tables.next()) {
                return 0;
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select coalesce(max(\"version\"), 0) from \"shardmap\".\"installation\"")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public void installGuard(Connection connection, int mapNumber, ShardedTable table) {
        throw new ShardMapException(
                ErrorCode.NOT_SUPPORTED,
                "guard triggers need PostgreSQL: table=" + table.qualifiedName() + " is on H2");
    }

    @Override
    public boolean guarded(Connection connection, ShardedTable table) {
        return false;
    }

    @Override
    public boolean oneRoundTrip() {
        return false;
    }

    @Override
    public boolean fetchesInBatches() {
        return false;
    }

    @Override
    public void cancel(Connection physical, Statement statement) throws SQLException {
        statement.cancel();
    }

    /** H2 compiles a statement again when a table has changed. */
    @Override
    public boolean isStalePlan(SQLException error) {
        return false;
    }

    @Override
    public TransactionStatus transactionStatus(Connection physical) {
        return TransactionStatus.UNKNOWN;
    }

    @Override
    public boolean automaticSavepoints(Connection physical) {
        return false;
    }

    @Override
    public void enter(Connection physical, Route route) throws SQLException {
        Refusal refusal = tryEnter(physical, route);
        if (refusal != Refusal.NONE) {
            throw new SQLTransactionRollbackException(
                    "virtual shard " + route.virtualShard() + " of map " + route.map() + " is "
                            + (refusal == Refusal.STALE
                                    ? "not owned by this server at epoch " + route.epoch()
                                    : "fenced"),
                    refusal == Refusal.STALE ? STALE : FENCED);
        }
    }

    @Override
    public Refusal tryEnter(Connection physical, Route route) throws SQLException {
        lockSlot(physical, route.mapNumber(), route.virtualShard());
        try (PreparedStatement statement = physical.prepareStatement("""
                select "state", "fenced_until", current_timestamp from "shardmap"."ownership"
                where "map_number" = ? and "virtual_shard" = ? and "epoch" = ?
                """)) {
            statement.setInt(1, route.mapNumber());
            statement.setInt(2, route.virtualShard());
            statement.setLong(3, route.epoch());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? admitted(row.getString(1), row.getTimestamp(2), row.getTimestamp(3))
                        : Refusal.STALE;
            }
        }
    }

    private static Refusal admitted(String state, @Nullable Timestamp fencedUntil, Timestamp now) {
        return switch (state) {
            case "OPEN" -> Refusal.NONE;
            case "FENCED" -> fencedUntil != null && fencedUntil.before(now) ? Refusal.NONE : Refusal.FENCED;
            default -> Refusal.STALE;
        };
    }

    private static void lockSlot(Connection physical, int mapNumber, int virtualShard) throws SQLException {
        int slot = Math.floorMod(System.identityHashCode(physical), SLOTS);
        try (PreparedStatement statement = physical.prepareStatement("""
                select 1 from "shardmap"."lock_row" where "map_number" = ? and "virtual_shard" = ? and "slot" = ? for update
                """)) {
            statement.setInt(1, mapNumber);
            statement.setInt(2, virtualShard);
            statement.setInt(3, slot);
            statement.executeQuery().close();
        }
    }

    @Override
    public List<OwnershipRow> enterMap(Connection physical, int mapNumber) throws SQLException {
        lockSlot(physical, mapNumber, -1);
        try (PreparedStatement statement = physical.prepareStatement("""
                select "virtual_shard", "epoch", "state" <> 'CLOSED', "holds_copies" from "shardmap"."ownership"
                where "map_number" = ?
                """)) {
            statement.setInt(1, mapNumber);
            List<OwnershipRow> rows = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(new OwnershipRow(row.getInt(1), row.getLong(2), row.getBoolean(3), row.getBoolean(4)));
                }
            }
            return rows;
        }
    }

    @Override
    public List<OwnershipRow> enterAll(Connection physical, int mapNumber) throws SQLException {
        List<OwnershipRow> rows = new ArrayList<>();
        for (OwnershipRow row : enterMap(physical, mapNumber)) {
            boolean admitted = row.owned() && isAdmitted(physical, mapNumber, row);
            rows.add(new OwnershipRow(row.virtualShard(), row.epoch(), admitted, row.holdsCopies()));
        }
        return rows;
    }

    private boolean isAdmitted(Connection physical, int mapNumber, OwnershipRow row) throws SQLException {
        Server here = new Server("here", null, null);
        return tryEnter(physical, new Route("map", mapNumber, row.virtualShard(), row.epoch(), here, 0))
                == Refusal.NONE;
    }

    @Override
    public List<OwnershipRow> enterSnapshot(Connection physical, Statement statement, int mapNumber)
            throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "snapshot under the lock of a map needs PostgreSQL: product=H2; read without one", "0A000");
    }

    @Override
    public Refusal refusalOf(SQLException error) {
        if (STALE.equals(error.getSQLState())) {
            return Refusal.STALE;
        }
        return FENCED.equals(error.getSQLState()) ? Refusal.FENCED : Refusal.NONE;
    }
}
