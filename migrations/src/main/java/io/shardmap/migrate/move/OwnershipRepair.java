package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.VirtualShard.State;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.table.TableOrder;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the servers agree with the map about one virtual shard, after a restore or a hand at work has broken that: only the server that
 * the map names owns it, at an epoch that is higher than any, and rows that lie elsewhere are marked so that no query counts them. What
 * was acknowledged by a server that the map does not name stays there until it is removed on demand. Repeating it completes what a crash
 * left. Stateless.
 */
public final class OwnershipRepair {
    private static final LockScope[] SHARD_AND_MAP = {LockScope.VIRTUAL_SHARD, LockScope.MAP};
    private static final Duration LOCK_WAIT = Duration.ofMinutes(1);
    private static final int BATCH = 5_000;

    private final JdbcShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates the service.
     *
     * @param store the shard-map database; its credentials may write
     * @param pools connections to the servers as the role that moves virtual shards
     */
    public OwnershipRepair(JdbcShardMapStore store, ServerPools pools) {
        this.store = store;
        this.pools = pools;
    }

    /**
     * What a repair does.
     *
     * @param map name of the map
     * @param virtualShard number of the virtual shard
     * @param server the server that the map names, null when none
     * @param epoch the new epoch; the present one when nothing has to be done
     * @param changes what is changed where, one sentence each; empty when the servers agree with the map
     */
    public record Plan(
            String map, int virtualShard, @Nullable String server, long epoch, List<String> changes) {
        /** Copies the list. */
        public Plan {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Looks at every server and says what a repair would do. Changes nothing.
     *
     * @param removeCopies whether rows on servers that do not own the virtual shard are to be removed
     * @throws ShardMapException with {@link ErrorCode#SERVER_UNAVAILABLE} when a server does not answer, for the new epoch must be the
     *     highest, and with {@link ErrorCode#SHARD_MOVING} while a move of the virtual shard is active
     */
    public Plan plan(String map, int virtualShard, boolean removeCopies) {
        return plan(survey(map, virtualShard), removeCopies);
    }

    private static Plan plan(RepairSurvey survey, boolean removeCopies) {
        VirtualShard shard = survey.shard();
        List<String> changes = survey.changes(removeCopies);
        long epoch = changes.isEmpty() ? shard.epoch() : survey.highestEpoch() + 1;
        return new Plan(survey.map().name(), shard.id(), shard.server(), epoch, changes);
    }

    /**
     * Repairs.
     *
     * @return what was done
     * @throws ShardMapException as {@link #plan} does; nothing was changed then
     * @throws ConcurrentChangeException when somebody else changed the same meanwhile; repeat the call
     */
    public Plan repair(String map, int virtualShard, boolean removeCopies) {
        RepairSurvey survey = survey(map, virtualShard);
        Plan plan = plan(survey, removeCopies);
        if (plan.changes().isEmpty()) {
            return plan;
        }
        VirtualShard before = survey.shard();
        VirtualShard during = new VirtualShard(virtualShard, before.server(), plan.epoch(), State.ASSIGNING);
        if (before.server() != null) {
            // While it says ASSIGNING no move can be recorded.
            place(map, before, during);
        }
        survey.found().keySet().stream()
                .filter(server -> !survey.isOwner(server))
                .forEach(server -> close(survey, server, plan.epoch(), removeCopies));
        if (before.server() != null) {
            open(survey, survey.map().server(before.server()), plan.epoch());
            place(map, during, new VirtualShard(virtualShard, before.server(), plan.epoch(), State.ASSIGNED));
        }
        return plan;
    }

    private void place(String map, VirtualShard expected, VirtualShard next) {
        store.change(transaction -> {
            transaction.lock(map, expected.id());
            requireNoMove(map, expected.id(), MoveRows.list(transaction.connection()));
            return transaction.place(map, expected, next);
        });
    }

    private static void requireNoMove(String map, int virtualShard, List<MoveStatus> moves) {
        for (MoveStatus move : moves) {
            if (move.map().equals(map)
                    && move.virtualShard() == virtualShard
                    && !move.state().isOver()) {
                throw new ShardMapException(
                        ErrorCode.SHARD_MOVING,
                        "virtual shard must have no active move: map=" + map + ", virtualShard=" + virtualShard
                                + ", move=" + move.id() + ", state=" + move.state() + "; run `shardmap move "
                                + (move.state().isWaiting() ? "complete " : "resume ") + move.id()
                                + "`, which agrees with the servers itself");
            }
        }
    }

    private RepairSurvey survey(String name, int virtualShard) {
        ShardMap map = store.load(name);
        if (virtualShard < 0 || virtualShard >= map.virtualShards().size()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "virtual shard must be one of the map's: map=" + name + ", virtualShard=" + virtualShard
                            + ", virtualShards=" + map.virtualShards().size());
        }
        requireNoMove(name, virtualShard, new MoveStore(store).list());
        return RepairSurvey.of(pools, store.servers(), map, virtualShard);
    }

    private void close(RepairSurvey survey, Server server, long epoch, boolean removeCopies) {
        try (MoverSession session = session(survey, server)) {
            boolean rows = session.runExclusively("close", SHARD_AND_MAP, (on, dialect) -> {
                boolean any = RepairSurvey.hasRows(
                        on,
                        RepairSurvey.shapes(survey.map(), on),
                        survey.shard().id());
                write(survey, server, dialect, on, Ownership.State.CLOSED, epoch, any);
                return any;
            });
            if (rows && removeCopies) {
                clear(survey, session);
                session.runPatiently(
                        "holds no copies",
                        (on, dialect) -> dialect.write(on, survey.place(), Ownership.State.CLOSED, epoch, false));
            }
        }
    }

    private static void clear(RepairSurvey survey, MoverSession session) {
        TableOrder order =
                TableOrder.of(session.read("inspect tables", (on, dialect) -> RepairSurvey.shapes(survey.map(), on)));
        if (!order.cyclic().isEmpty()) {
            throw new ShardMapException(
                    ErrorCode.STEP_FAILED,
                    "foreign keys must not form a circle: server=" + session.server() + ", tables=" + order.cyclic()
                            + "; remove the rows by hand");
        }
        new Copier(survey.place(), order.parentsFirst(), BATCH)
                .clear(session, Copier.Partitions.KEEP, (table, count, bytes) -> {});
    }

    private void open(RepairSurvey survey, Server server, long epoch) {
        try (MoverSession session = session(survey, server)) {
            session.runExclusively("open", SHARD_AND_MAP, (on, dialect) -> {
                write(survey, server, dialect, on, Ownership.State.OPEN, epoch, false);
                return true;
            });
        }
    }

    /** Changes only what the survey saw: an assignment of a virtual shard that the map places nowhere may run meanwhile. */
    private static void write(
            RepairSurvey survey,
            Server server,
            MoverDialect dialect,
            Connection on,
            Ownership.State state,
            long epoch,
            boolean copies)
            throws SQLException {
        Ownership now = dialect.ownership(on, survey.place());
        RepairSurvey.Found seen = survey.found().get(server);
        if (seen == null
                || now.epoch() != seen.ownership().epoch()
                || now.state() != seen.ownership().state()
                || !dialect.write(on, survey.place(), state, epoch, copies)) {
            throw new ConcurrentChangeException("ownership must be as it was seen: server=" + server.name()
                    + ", virtualShard=" + survey.place() + ", seen=" + seen + ", found=" + now
                    + "; somebody changed it meanwhile, repeat the call");
        }
    }

    /** A session with a token above all, which ends whatever mover was left on the server. */
    private MoverSession session(RepairSurvey survey, Server server) {
        long token = survey.highestToken() + 1;
        MoverSession session = MoverSession.open(pools, server, survey.place(), token, LOCK_WAIT);
        boolean taken = false;
        try {
            session.unchecked("raise the token", (on, dialect) -> {
                dialect.endOthers(on, survey.place(), token);
                dialect.prepareLocks(on, survey.place());
                return dialect.raiseToken(on, survey.place(), token);
            });
            taken = true;
            return session;
        } finally {
            if (!taken) {
                session.close();
            }
        }
    }
}
