package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableOrder;
import io.shardmap.migrate.table.TableShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One mover at work on one move: it holds the lease in the shard-map database and the token on both servers. What it knows of the move
 * is what its last compare-and-set returned. While a move is taken back, source is the server that the virtual shard leaves then: the
 * recorded target. Used by one thread.
 */
final class Run implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final MoverContext context;
    private final ShardMap map;
    private final Place place;
    private final Heartbeat lease;
    private MoveStatus move;
    private long epochBack;
    private @Nullable MoverSession source;
    private @Nullable MoverSession target;

    private Run(MoverContext context, ShardMap map, MoveStatus move) {
        this.context = context;
        this.map = map;
        this.place = new Place(map.name(), map.number(), move.virtualShard());
        this.move = move;
        this.lease = Heartbeat.start(
                "lease-" + move.id(),
                move.options().lease(),
                () -> context.moves().renew(move));
    }

    /**
     * Takes the lease with a number above every token of the two servers, then the token on both.
     *
     * @throws ConcurrentChangeException when another mover has the lease or takes over meanwhile
     */
    static Run open(MoverContext context, MoveStatus seen, boolean force) {
        return open(context, seen, force, true);
    }

    /** Like {@link #open(MoverContext, MoveStatus, boolean)}, for work on the target alone: the source need not answer. */
    static Run openTarget(MoverContext context, MoveStatus seen) {
        return open(context, seen, false, false);
    }

    private static Run open(MoverContext context, MoveStatus seen, boolean force, boolean both) {
        context.hooks().reached(CrashPoint.BEFORE_LEASE);
        ShardMap map = context.maps().load(seen.map());
        Place place = new Place(map.name(), map.number(), seen.virtualShard());
        long here = both ? token(context, map.server(seen.source()), place) : 0;
        long tokens = Math.max(here, token(context, map.server(seen.target()), place));
        MoveStatus held = context.moves().acquire(seen, Math.max(seen.lease(), tokens) + 1, context.owner(), force);
        context.hooks().reached(CrashPoint.AFTER_LEASE);
        Run run = new Run(context, map, held);
        boolean opened = false;
        try {
            if (both) {
                run.source = run.takeToken(held.source());
            }
            run.reached(CrashPoint.AFTER_SOURCE_TOKEN);
            run.target = run.takeToken(held.target());
            run.reached(CrashPoint.AFTER_TARGET_TOKEN);
            opened = true;
            return run;
        } finally {
            if (!opened) {
                run.close();
            }
        }
    }

    private static long token(MoverContext context, Server server, Place place) {
        try (MoverSession session = MoverSession.open(context.pools(), server, place, 0, Duration.ofSeconds(1))) {
            return session.unchecked("read the token", (on, dialect) -> dialect.token(on, place));
        }
    }

    private MoverSession takeToken(String name) {
        MoverSession session = openSession(name);
        boolean taken = false;
        try {
            long start = System.nanoTime();
            while (!takeToken(session)) {
                if (System.nanoTime() - start > move.options().lockWait().toNanos()) {
                    throw new ShardMapException(
                            ErrorCode.SHARD_MOVING,
                            "sessions of the mover before must end: server=" + name + ", virtualShard=" + place
                                    + ", waited=" + move.options().lockWait() + "; end that process, then resume");
                }
                Waiting.pause(this, PAUSE);
            }
            taken = true;
            return session;
        } finally {
            if (!taken) {
                session.close();
            }
        }
    }

    /** Ends the sessions of others, raises the token, and looks again: one may have come back in between. */
    private boolean takeToken(MoverSession session) {
        if (endOthers(session) > 0) {
            return false;
        }
        try {
            boolean mine = session.unchecked("raise the token", (on, dialect) -> {
                dialect.prepareLocks(on, place);
                return dialect.raiseToken(on, place, move.lease()) || dialect.token(on, place) == move.lease();
            });
            if (!mine) {
                throw new ConcurrentChangeException("token of the mover must be the highest: server=" + session.server()
                        + ", virtualShard=" + place + ", token=" + move.lease() + "; another mover has taken over");
            }
        } catch (ShardMapException failure) {
            if (ServerFailures.isLockTimeout(failure)) {
                return false;
            }
            throw failure;
        }
        return endOthers(session) == 0;
    }

    private int endOthers(MoverSession session) {
        return session.unchecked(
                "end the sessions of other movers", (on, dialect) -> dialect.endOthers(on, place, move.lease()));
    }

    /** Opens one more session on a server of the move. */
    MoverSession openSession(String server) {
        return MoverSession.open(
                context.pools(),
                map.server(server),
                place,
                move.lease(),
                move.options().lockWait());
    }

    /** Returns the move as it goes: while it is taken back, from the recorded target to the recorded source. */
    MoveStatus move() {
        return switch (move.state()) {
            case REVERSING -> move.turned(move.newEpoch(), epochBack);
            case SWITCHED_BACK -> move.turned(move.epoch(), move.newEpoch());
            default -> move;
        };
    }

    /** Returns the move as it is recorded. */
    MoveStatus status() {
        return move;
    }

    /** Sets the epoch that the way back ends at. */
    void reserveEpochBack(long epoch) {
        epochBack = epoch;
    }

    MoverContext context() {
        return context;
    }

    ShardMap map() {
        return map;
    }

    Place place() {
        return place;
    }

    MoverSession source() {
        return session(move().source());
    }

    MoverSession target() {
        return session(move().target());
    }

    /** Returns whether the recorded source can be spoken to. */
    boolean hasSource() {
        return source != null;
    }

    /** Returns the session on a server of the move. */
    MoverSession session(String server) {
        return opened(server.equals(move.source()) ? source : target);
    }

    private static MoverSession opened(@Nullable MoverSession session) {
        if (session == null) {
            throw new IllegalStateException("mover must have its sessions");
        }
        return session;
    }

    /** Ends a long step of a mover that another one has replaced; what it tried on a server would be refused anyway. */
    void requireLease() {
        if (lease.isRefused()) {
            throw new ConcurrentChangeException(
                    "mover must have the lease of its move: " + move + "; another mover has taken over");
        }
    }

    void reached(CrashPoint point) {
        context.hooks().reached(point);
    }

    /** Enters a state, unless the move is in it. */
    void enter(MoveState next, long newEpoch, @Nullable String error) {
        if (move.state() != next) {
            become(context.moves().enter(move, next, newEpoch, error));
        }
    }

    void enter(MoveState next) {
        enter(next, 0, null);
    }

    void become(MoveStatus changed) {
        move = changed;
        context.listener().entered(changed);
    }

    /** Reads the tables of the map as the source has them. */
    Copier copier() {
        List<TableShape> shapes = source().read("inspect tables", (on, dialect) -> {
            List<TableShape> found = new ArrayList<>();
            for (ShardedTable table : map.tables()) {
                found.add(TableInspector.of(on)
                        .inspect(on, table)
                        .orElseThrow(() -> new ShardMapException(
                                ErrorCode.STEP_FAILED,
                                "table must exist on the source: server=" + move.source() + ", table="
                                        + table.qualifiedName())));
            }
            return found;
        });
        TableOrder order = TableOrder.of(shapes);
        if (!order.cyclic().isEmpty()) {
            throw new ShardMapException(
                    ErrorCode.STEP_FAILED, "foreign keys must not form a circle: tables=" + order.cyclic());
        }
        return new Copier(place, order.parentsFirst(), move.options().batchRows());
    }

    Set<ShardedTable> tables() {
        return Set.copyOf(map.tables());
    }

    @Override
    public void close() {
        lease.close();
        if (source != null) {
            source.close();
        }
        if (target != null) {
            target.close();
        }
    }
}
