package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.VirtualShard.State;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableOrder;
import io.shardmap.migrate.table.TableShape;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** What one server says. */
    private record Found(Ownership ownership, long token, boolean rows) {}

    /** What has to be done, on which servers. */
    private record Work(
            ShardMap map, VirtualShard shard, Place place, long epoch, Map<Server, Found> found, Plan plan) {}

    /**
     * Looks at every server and says what a repair would do. Changes nothing.
     *
     * @param removeCopies whether rows on servers that do not own the virtual shard are to be removed
     * @throws ShardMapException with {@link ErrorCode#SERVER_UNAVAILABLE} when a server does not answer, for the new epoch must be the
     *     highest, and with {@link ErrorCode#SHARD_MOVING} while a move of the virtual shard is active
     */
    public Plan plan(String map, int virtualShard, boolean removeCopies) {
        return examine(map, virtualShard, removeCopies).plan();
    }

    /**
     * Repairs.
     *
     * @return what was done
     * @throws ShardMapException as {@link #plan} does; nothing was changed then
     */
    public Plan repair(String map, int virtualShard, boolean removeCopies) {
        Work work = examine(map, virtualShard, removeCopies);
        if (work.plan().changes().isEmpty()) {
            return work.plan();
        }
        VirtualShard before = work.shard();
        VirtualShard during = new VirtualShard(virtualShard, before.server(), work.epoch(), State.ASSIGNING);
        if (before.server() != null) {
            // While it says ASSIGNING no move can be recorded.
            place(map, before, during);
        }
        long token =
                work.found().values().stream().mapToLong(Found::token).max().orElse(0) + 1;
        work.found().forEach((server, found) -> {
            if (!server.name().equals(before.server())) {
                close(work, server, token, removeCopies);
            }
        });
        if (before.server() != null) {
            open(work, work.map().server(before.server()), token);
            place(map, during, new VirtualShard(virtualShard, before.server(), work.epoch(), State.ASSIGNED));
        }
        return work.plan();
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
                                + ", move=" + move.id() + ", state=" + move.state() + "; run `shardmap move resume "
                                + move.id() + "`, which agrees with the servers itself");
            }
        }
    }

    private Work examine(String name, int virtualShard, boolean removeCopies) {
        ShardMap map = store.load(name);
        if (virtualShard < 0 || virtualShard >= map.virtualShards().size()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "virtual shard must be one of the map's: map=" + name + ", virtualShard=" + virtualShard
                            + ", virtualShards=" + map.virtualShards().size());
        }
        requireNoMove(name, virtualShard, new MoveStore(store).list());
        VirtualShard shard = map.virtualShards().get(virtualShard);
        Place place = new Place(name, map.number(), virtualShard);
        Map<Server, Found> found = new LinkedHashMap<>();
        for (Server server : store.servers()) {
            found.put(server, look(map, place, server));
        }
        long highest = found.values().stream()
                .mapToLong(one -> one.ownership().epoch())
                .max()
                .orElse(0);
        List<String> changes = changes(shard, found, removeCopies);
        long epoch = changes.isEmpty() ? shard.epoch() : Math.max(highest, shard.epoch()) + 1;
        return new Work(map, shard, place, epoch, found, new Plan(name, virtualShard, shard.server(), epoch, changes));
    }

    private Found look(ShardMap map, Place place, Server server) {
        try (MoverSession session = MoverSession.open(pools, server, place, 0, LOCK_WAIT)) {
            return session.unchecked("look", (on, dialect) -> {
                boolean rows = false;
                for (TableShape table : shapes(map, on)) {
                    rows = rows || RowStore.of(on).any(on, table, place.virtualShard());
                }
                return new Found(dialect.ownership(on, place), dialect.token(on, place), rows);
            });
        }
    }

    private static List<TableShape> shapes(ShardMap map, Connection on) throws SQLException {
        List<TableShape> shapes = new ArrayList<>();
        for (ShardedTable table : map.tables()) {
            TableInspector.of(on).inspect(on, table).ifPresent(shapes::add);
        }
        return TableOrder.of(shapes).parentsFirst();
    }

    private static List<String> changes(VirtualShard shard, Map<Server, Found> all, boolean removeCopies) {
        List<String> changes = new ArrayList<>();
        if (shard.state() == State.ASSIGNING) {
            changes.add("map: complete the assignment to " + shard.server());
        }
        all.forEach((server, found) -> {
            Ownership row = found.ownership();
            if (server.name().equals(shard.server())) {
                if (row.state() != Ownership.State.OPEN || row.epoch() != shard.epoch() || row.holdsCopies()) {
                    changes.add("server " + server.name() + ": open it, was " + row);
                }
            } else if (!row.isClosed()) {
                changes.add("server " + server.name() + ": close it, was " + row);
            } else if (row.holdsCopies() != found.rows()) {
                changes.add("server " + server.name() + ": "
                        + (found.rows() ? "mark its rows as copies" : "say that it" + " holds no copies"));
            }
            if (removeCopies && found.rows() && !server.name().equals(shard.server())) {
                changes.add("server " + server.name() + ": remove its rows");
            }
        });
        return changes;
    }

    private void close(Work work, Server server, long token, boolean removeCopies) {
        try (MoverSession session = session(work, server, token)) {
            boolean rows = session.runExclusively("close", SHARD_AND_MAP, (on, dialect) -> {
                boolean any = false;
                for (TableShape table : shapes(work.map(), on)) {
                    any = any || RowStore.of(on).any(on, table, work.place().virtualShard());
                }
                write(work, server, dialect.write(on, work.place(), Ownership.State.CLOSED, work.epoch(), any));
                return any;
            });
            if (rows && removeCopies) {
                List<TableShape> shapes = session.read("inspect tables", (on, dialect) -> shapes(work.map(), on));
                new Copier(work.place(), shapes, BATCH).clear(session, (table, count, bytes) -> {});
                session.runPatiently(
                        "holds no copies",
                        (on, dialect) -> dialect.write(on, work.place(), Ownership.State.CLOSED, work.epoch(), false));
            }
        }
    }

    private void open(Work work, Server server, long token) {
        try (MoverSession session = session(work, server, token)) {
            session.runExclusively("open", SHARD_AND_MAP, (on, dialect) -> {
                write(work, server, dialect.write(on, work.place(), Ownership.State.OPEN, work.epoch(), false));
                return true;
            });
        }
    }

    private static void write(Work work, Server server, boolean written) {
        if (!written) {
            throw new ConcurrentChangeException("epoch of an ownership row must not fall: server=" + server.name()
                    + ", virtualShard=" + work.place() + "; somebody changed it meanwhile, look again");
        }
    }

    /** A session with the token, which ends whatever mover was left on the server. */
    private MoverSession session(Work work, Server server, long token) {
        MoverSession session = MoverSession.open(pools, server, work.place(), token, LOCK_WAIT);
        boolean taken = false;
        try {
            session.unchecked("raise the token", (on, dialect) -> {
                dialect.endOthers(on, work.place(), token);
                dialect.prepareLocks(on, work.place());
                return dialect.raiseToken(on, work.place(), token);
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
