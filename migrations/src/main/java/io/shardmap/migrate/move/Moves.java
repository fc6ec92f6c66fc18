package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.StoreUnavailableException;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.table.TableShape;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves virtual shards between servers. By fence and copy, the portable method: writers of the one virtual shard wait while its rows are
 * copied, readers do not, nobody else notices; works on PostgreSQL and H2. By copy and logical replication, the online method, which
 * {@link MoveOptions#withOnline} chooses: writers wait for moments at its end; works on PostgreSQL 15 and newer. A mover that dies at any point loses nothing: {@link #resume} goes on,
 * {@link #cancel} goes back as long as the map has not switched. Safe for use by many threads.
 *
 * <p>A mover takes up to four connections per server out of the pools, by the online method two more than it has copiers, and does not give them back but ends them; pools of its own,
 * rather than an application's, are best.
 */
public final class Moves {
    private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

    private final MoverContext context;
    private final ProgressStore progress;
    private final Execution execution;
    private final Decisions decisions;

    private Moves(MoverContext context, ProgressStore progress) {
        this.context = context;
        this.progress = progress;
        this.execution = new Execution(context, progress);
        this.decisions = new Decisions(context, execution);
    }

    /**
     * Creates the service, without hooks or a listener.
     *
     * @param store the shard-map database; its credentials may write
     * @param pools connections to the servers as the owner of Shardmap's objects, who may read and write the sharded tables
     */
    public static Moves of(JdbcShardMapStore store, ServerPools pools) {
        String owner = System.getProperty("user.name", "unknown") + ", process "
                + ProcessHandle.current().pid();
        return new Moves(
                new MoverContext(new MoveStore(store), store, pools, MoveHooks.NONE, MoveListener.NONE, owner),
                new ProgressStore(store));
    }

    /** Returns a copy that tells a listener how its moves proceed. */
    public Moves withListener(MoveListener listener) {
        return new Moves(context.with(listener), progress);
    }

    /** Returns a copy that calls hooks between the steps, for tests. */
    public Moves withHooks(MoveHooks hooks) {
        return new Moves(
                new MoverContext(
                        context.moves(), context.maps(), context.pools(), hooks, context.listener(), context.owner()),
                progress);
    }

    /**
     * Looks for everything that is in the way of a move. Changes nothing.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the map has no such virtual shard, and with
     *     {@link ErrorCode#UNKNOWN_MAP} when there is no such map
     */
    public MovePlan plan(String map, int virtualShard, String target) {
        return plan(map, virtualShard, target, MoveOptions.DEFAULT);
    }

    /**
     * Like {@link #plan(String, int, String)}, for the method that the options choose.
     *
     * @throws ShardMapException as there
     */
    public MovePlan plan(String map, int virtualShard, String target, MoveOptions options) {
        ShardMap loaded = context.maps().load(map);
        MovePlan plan = Preflight.plan(
                context.pools(),
                loaded,
                virtualShard,
                target,
                options,
                context.moves().active(map, virtualShard));
        return ReplacedServers.look(context.pools(), loaded, context.moves().identities(), plan);
    }

    /**
     * Reckons what a planned move costs. Counts its rows, for some seconds at most.
     *
     * @param plan a plan whose source and tables are known
     * @return empty when the source does not answer, or the plan has no source
     */
    public Optional<MoveEstimate> estimate(MovePlan plan, MoveOptions options) {
        if (plan.source().isEmpty() || plan.tables().isEmpty()) {
            return Optional.empty();
        }
        try {
            Server source = context.maps().load(plan.map()).server(plan.source());
            List<ShardedTable> tables =
                    plan.tables().stream().map(TableShape::table).toList();
            MoveSize size = MoveSize.of(context.pools(), source, tables, plan.virtualShard());
            return Optional.of(MoveEstimate.of(size, options, progress.rate()));
        } catch (SQLException unknown) {
            LOG.debug("size of a virtual shard is not known: plan={}", plan, unknown);
            return Optional.empty();
        }
    }

    /**
     * Plans a move and records it; {@link #run} executes it.
     *
     * @throws PreflightException when something is in its way; nothing was recorded
     * @throws ConcurrentChangeException when another move of the virtual shard was recorded at the same time
     */
    public MoveId start(String map, int virtualShard, String target, MoveOptions options) {
        MovePlan plan = plan(map, virtualShard, target, options);
        if (!plan.problems().isEmpty()) {
            throw new PreflightException(plan);
        }
        return context.moves().insert(plan, options);
    }

    /**
     * Executes a move until it is over, or waits because it is reversible, on the calling thread; does nothing when it is so already. A
     * failure before the switch that would come again (a broken condition, a refused row, a mismatch) undoes the move and is thrown; when a
     * database does not answer, the move stays as it is.
     *
     * @return the move when it is over or waits; in {@link MoveState#IRREVERSIBLE} when it has switched, but the way back could not be kept
     * @throws ConcurrentChangeException when another mover is at work on it, or took over
     * @throws ShardMapException when it failed
     */
    public MoveStatus run(MoveId id) {
        return execution.goOn(context.moves().get(id), false);
    }

    /**
     * Takes a move over from whoever works on it, alive or dead, and executes it until it is over or waits: forward to DONE or REVERSIBLE,
     * to ABORTED when it was being undone, to REVERSED when it was being taken back.
     *
     * @throws ShardMapException when it failed, as {@link #run} says
     */
    public MoveStatus resume(MoveId id) {
        return execution.goOn(context.moves().get(id), true);
    }

    /**
     * Takes a reversible move back, on the calling thread: the source gets what the stream still has for it, is compared, and serves again,
     * with everything that was written since the switch; then the target's rows are removed. Writers wait for the cut-over only. Goes on with
     * a reversal whose process died, and does nothing when the move is taken back already. A failure before the map switches leaves the move
     * waiting; a stream that cannot be completed any more gives the way back up.
     *
     * @return the move when it is taken back
     * @throws PreflightException when a server was restored since it was added
     * @throws ConcurrentChangeException when another mover is at work on it
     * @throws ShardMapException with {@link ErrorCode#NOT_SUPPORTED} when the move has no way back, and when the reversal failed
     */
    public MoveStatus reverse(MoveId id) {
        return decisions.reverse(id);
    }

    /**
     * Completes a move that waits, on the calling thread: ends the stream back, and removes the source's rows. Goes on with a completion
     * whose process died, and does nothing when the move is done already.
     *
     * @return the move when it is done
     * @throws ConcurrentChangeException when another mover is at work on it
     * @throws ShardMapException with {@link ErrorCode#NOT_SUPPORTED} when the move does not wait, and when it failed
     */
    public MoveStatus complete(MoveId id) {
        return decisions.complete(id);
    }

    /**
     * Gives the way back of a waiting move up when its slot keeps more write-ahead log on the target than the move allows, or when slot or
     * publication are lost; what is there of them is removed. No process watches a move that waits: call this now and then, from a
     * scheduler. The source need not answer.
     *
     * @return the move, {@link MoveState#IRREVERSIBLE} when its way back was given up
     * @throws ConcurrentChangeException when another mover is at work on it
     * @throws ShardMapException with {@link ErrorCode#SERVER_UNAVAILABLE} when the target does not answer
     */
    public MoveStatus guard(MoveId id) {
        return decisions.guard(id);
    }

    /**
     * Looks at the way back of a move, on its target; changes nothing.
     *
     * @return empty when the move does not wait with a way back
     * @throws ShardMapException with {@link ErrorCode#SERVER_UNAVAILABLE} when the target does not answer
     */
    public Optional<WayBack> wayBack(MoveId id) {
        return decisions.wayBack(id);
    }

    /**
     * Takes a move over and undoes it: the source serves as before, the copies are removed. Does nothing when it is undone already. Of a
     * move that is being taken back, and whose map has not switched back, the reversal is undone: the move waits again.
     *
     * @throws ShardMapException with {@link ErrorCode#NOT_SUPPORTED} when the map has switched: then a move can only go forward, or be
     *     taken back by {@link #reverse}
     */
    public MoveStatus cancel(MoveId id) {
        return new Cancellation(context).cancel(id);
    }

    /**
     * Returns a move as it is now.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when there is none of this number
     * @throws StoreUnavailableException when the shard-map database does not answer
     */
    public MoveStatus status(MoveId id) {
        return context.moves().get(id);
    }

    /** Returns how far the copy of a move is, or was at its end; empty when it has not begun. */
    public Optional<MoveProgress> progress(MoveId id) {
        return progress.get(id);
    }

    /** Returns all moves, newest first. */
    public List<MoveStatus> list() {
        return context.moves().list();
    }

    /** Returns the journal of a move, oldest step first. */
    public List<JournalEntry> journal(MoveId id) {
        return context.moves().journal(id);
    }
}
