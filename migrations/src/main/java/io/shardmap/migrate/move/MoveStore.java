package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.migrate.place.ServerIdentity;
import io.shardmap.store.JdbcShardMapStore;
import io.shardmap.store.ShardMapTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Moves and their journals in the shard-map database. Every change is a compare-and-set on the move, its state and its lease. */
final class MoveStore {
    private static final String DUPLICATE = "23505";

    private final JdbcShardMapStore store;

    MoveStore(JdbcShardMapStore store) {
        this.store = store;
    }

    /**
     * Records a move.
     *
     * @throws ConcurrentChangeException when the virtual shard has an active move, or is not where the plan found it
     */
    MoveId insert(MovePlan plan, MoveOptions options) {
        return store.change(transaction -> {
            VirtualShard shard = transaction.lock(plan.map(), plan.virtualShard());
            if (shard.state() != VirtualShard.State.ASSIGNED
                    || !plan.source().equals(shard.server())
                    || plan.epoch() != shard.epoch()) {
                throw new ConcurrentChangeException("virtual shard must be where the plan found it: plan=" + plan
                        + ", found=" + shard + "; plan again");
            }
            long id = insert(transaction.connection(), plan, options);
            note(transaction.connection(), id, MoveState.PLANNED.name(), plan.source() + " -> " + plan.target());
            transaction.audit("start move " + id, null, plan.toString());
            return new MoveId(id);
        });
    }

    private static long insert(Connection connection, MovePlan plan, MoveOptions options) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into "shardmap_catalog"."move"
                    ("map", "virtual_shard", "source", "target", "epoch", "state", "active", "method", "options")
                values (?, ?, ?, ?, ?, 'PLANNED', true, ?, ?)
                """, new String[] {"id"})) {
            insert.setString(1, plan.map());
            insert.setInt(2, plan.virtualShard());
            insert.setString(3, plan.source());
            insert.setString(4, plan.target());
            insert.setLong(5, plan.epoch());
            insert.setString(6, options.method().name());
            insert.setString(7, options.stored());
            insert.executeUpdate();
            try (ResultSet key = insert.getGeneratedKeys()) {
                key.next();
                return key.getLong(1);
            }
        } catch (SQLException failure) {
            if (DUPLICATE.equals(failure.getSQLState())) {
                ConcurrentChangeException refusal = new ConcurrentChangeException(
                        "virtual shard must have no other active move: map=" + plan.map()
                                + ", virtualShard=" + plan.virtualShard()
                                + "; wait for it, or resume or cancel it; one that waits has to be reversed or completed");
                refusal.initCause(failure);
                throw refusal;
            }
            throw failure;
        }
    }

    /**
     * Returns a move.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when there is none of this number
     */
    MoveStatus get(MoveId id) {
        return store.change(transaction -> MoveRows.get(transaction.connection(), id, false));
    }

    /** Returns which clusters the servers were when they were added, by name. */
    Map<String, ServerIdentity> identities() {
        return ServerIdentity.remembered(store);
    }

    List<MoveStatus> list() {
        return store.change(transaction -> MoveRows.list(transaction.connection()));
    }

    List<JournalEntry> journal(MoveId id) {
        return store.change(transaction -> MoveRows.journal(transaction.connection(), id));
    }

    /** Returns the active move of a virtual shard, null when there is none. */
    @Nullable
    MoveStatus active(String map, int virtualShard) {
        for (MoveStatus move : list()) {
            if (move.map().equals(map)
                    && move.virtualShard() == virtualShard
                    && !move.state().isOver()) {
                return move;
            }
        }
        return null;
    }

    /**
     * Takes the lease with a higher number.
     *
     * @param force whether to take it from a mover that may be alive
     * @throws ConcurrentChangeException when another took it meanwhile, or holds it and is not to be disturbed
     */
    MoveStatus acquire(MoveStatus seen, long lease, String owner, boolean force) {
        return store.change(transaction -> {
            MoveStatus found = MoveRows.get(transaction.connection(), seen.id(), true);
            if (found.lease() != seen.lease() || (found.leaseLive() && !force)) {
                throw new ConcurrentChangeException("lease of the move must be free: move=" + seen.id() + ", owner="
                        + found.leaseOwner() + ", until=" + found.leaseUntil()
                        + "; wait for that mover, or resume the move to take over");
            }
            try (PreparedStatement update = transaction.connection().prepareStatement("""
                    update "shardmap_catalog"."move"
                       set "lease" = ?, "lease_owner" = ?, "lease_until" = current_timestamp + cast(? as integer) * interval '1' second,
                           "updated_at" = current_timestamp
                     where "id" = ?
                    """)) {
                update.setLong(1, lease);
                update.setString(2, owner);
                update.setLong(3, seconds(found.options()));
                update.setLong(4, seen.id().value());
                update.executeUpdate();
            }
            note(transaction.connection(), seen.id().value(), "lease " + lease, owner);
            return MoveRows.get(transaction.connection(), seen.id(), false);
        });
    }

    /** Prolongs the lease; false when another mover has it, or none is needed any more. */
    boolean renew(MoveStatus held) {
        return store.change(transaction -> {
            try (PreparedStatement update = transaction.connection().prepareStatement("""
                    update "shardmap_catalog"."move" set "lease_until" = current_timestamp + cast(? as integer) * interval '1' second
                     where "id" = ? and "lease" = ? and "state" not in ('REVERSIBLE', 'IRREVERSIBLE', 'DONE', 'ABORTED', 'REVERSED')
                    """)) {
                update.setLong(1, seconds(held.options()));
                update.setLong(2, held.id().value());
                update.setLong(3, held.lease());
                return update.executeUpdate() == 1;
            }
        });
    }

    private static long seconds(MoveOptions options) {
        return Math.max(1, options.lease().toSeconds());
    }

    /**
     * Enters the next state. A state at rest ends the lease.
     *
     * @param newEpoch epoch on the target, 0 to keep what is stored
     * @param error why the move is being aborted, null to keep what is stored
     * @throws ConcurrentChangeException when the move is in another state or another mover has the lease
     */
    MoveStatus enter(MoveStatus held, MoveState next, long newEpoch, @Nullable String error) {
        return store.change(transaction -> enter(transaction, held, next, 0, newEpoch, error));
    }

    private static MoveStatus enter(
            ShardMapTransaction transaction,
            MoveStatus held,
            MoveState next,
            long epoch,
            long newEpoch,
            @Nullable String error)
            throws SQLException {
        try (PreparedStatement update = transaction.connection().prepareStatement("""
                update "shardmap_catalog"."move"
                   set "state" = ?, "active" = ?, "updated_at" = current_timestamp,
                       "epoch" = case when ? > 0 then ? else "epoch" end,
                       "new_epoch" = case when ? > 0 then ? else "new_epoch" end,
                       "lease_until" = case when ? then current_timestamp else "lease_until" end,
                       "error" = coalesce(cast(? as varchar), "error")
                 where "id" = ? and "state" = ? and "lease" = ?
                """)) {
            update.setString(1, next.name());
            update.setObject(2, next.isOver() ? null : Boolean.TRUE, java.sql.Types.BOOLEAN);
            update.setLong(3, epoch);
            update.setLong(4, epoch);
            update.setLong(5, newEpoch);
            update.setLong(6, newEpoch);
            update.setBoolean(7, next.isAtRest());
            update.setString(8, error);
            update.setLong(9, held.id().value());
            update.setString(10, held.state().name());
            update.setLong(11, held.lease());
            if (update.executeUpdate() != 1) {
                MoveStatus found = MoveRows.get(transaction.connection(), held.id(), false);
                throw new ConcurrentChangeException("move must be as its mover left it: move=" + held.id()
                        + ", expected=" + held.state() + " with lease " + held.lease() + ", found=" + found.state()
                        + " with lease " + found.lease() + "; another mover has taken over");
            }
        }
        note(transaction.connection(), held.id().value(), next.name(), error);
        return MoveRows.get(transaction.connection(), held.id(), false);
    }

    /**
     * The point of no return: one transaction that enters SWITCHED, or SWITCHED_BACK, and places the virtual shard on the target at the
     * new epoch.
     *
     * @param held the move as it goes: of one that is taken back, the way back
     * @param tables the tables whose rows were copied
     * @throws ShardMapException when a table was registered meanwhile, whose rows were not copied
     */
    MoveStatus switchOwner(MoveStatus held, Set<ShardedTable> tables) {
        return store.change(transaction -> {
            transaction.place(
                    held.map(),
                    new VirtualShard(held.virtualShard(), held.source(), held.epoch(), VirtualShard.State.ASSIGNED),
                    new VirtualShard(held.virtualShard(), held.target(), held.newEpoch(), VirtualShard.State.ASSIGNED));
            Set<ShardedTable> registered = MoveRows.tables(transaction.connection(), held.map());
            if (!registered.equals(tables)) {
                throw new ShardMapException(
                        ErrorCode.STEP_FAILED,
                        "tables of the map must not change during a move: map=" + held.map() + ", copied=" + tables
                                + ", registered=" + registered + "; start the move again");
            }
            MoveState next = held.state().isBackwards() ? MoveState.SWITCHED_BACK : MoveState.SWITCHED;
            return enter(transaction, held, next, held.epoch(), held.newEpoch(), null);
        });
    }

    /** Remembers why the mover stopped, if it still has the lease, and gives the lease back. */
    void stopped(MoveStatus held, String error) {
        store.change(transaction -> {
            try (PreparedStatement update = transaction.connection().prepareStatement("""
                    update "shardmap_catalog"."move"
                       set "error" = ?, "lease_until" = current_timestamp, "updated_at" = current_timestamp
                     where "id" = ? and "lease" = ?
                    """)) {
                update.setString(1, error);
                update.setLong(2, held.id().value());
                update.setLong(3, held.lease());
                return update.executeUpdate();
            }
        });
    }

    /**
     * Writes a step into the journal before it is taken.
     *
     * @throws ConcurrentChangeException when another mover has the lease
     */
    void record(MoveStatus held, String step, String detail) {
        store.change(transaction -> {
            MoveStatus found = MoveRows.get(transaction.connection(), held.id(), true);
            if (found.lease() != held.lease() || found.state() != held.state()) {
                throw new ConcurrentChangeException("move must be as its mover left it: move=" + held.id()
                        + ", lease=" + held.lease() + ", found=" + found.state() + " with lease " + found.lease()
                        + "; another mover has taken over");
            }
            note(transaction.connection(), held.id().value(), step, detail);
            return true;
        });
    }

    private static void note(Connection connection, long move, String step, @Nullable String detail)
            throws SQLException {
        try (Statement lock = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into "shardmap_catalog"."move_journal" ("move", "seq", "step", "detail")
                        select ?, coalesce(max("seq"), 0) + 1, ?, ?
                          from "shardmap_catalog"."move_journal" where "move" = ?
                        """)) {
            lock.execute("select 1 from \"shardmap_catalog\".\"move\" where \"id\" = " + move + " for update");
            insert.setLong(1, move);
            insert.setString(2, step);
            insert.setString(3, detail);
            insert.setLong(4, move);
            insert.executeUpdate();
        }
    }
}
