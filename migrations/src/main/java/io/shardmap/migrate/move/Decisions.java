package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.util.List;
import java.util.Optional;

/** What is decided about a move that waits: to take it back, to complete it, or to give its way back up. */
final class Decisions {
    private final MoverContext context;
    private final Execution execution;

    Decisions(MoverContext context, Execution execution) {
        this.context = context;
        this.execution = execution;
    }

    /** See {@link Moves#reverse}. */
    MoveStatus reverse(MoveId id) {
        MoveStatus seen = context.moves().get(id);
        return switch (seen.state()) {
            case REVERSED -> seen;
            case REVERSING, SWITCHED_BACK -> execution.run(seen, false, mover -> {});
            case REVERSIBLE -> {
                requireSameServers(seen);
                yield execution.run(seen, false, Mover::reverse);
            }
            default -> throw ReverseStream.notWaiting(seen, "taken back");
        };
    }

    private void requireSameServers(MoveStatus move) {
        MoveStatus back = move.turned(move.newEpoch(), 0);
        MovePlan plan = new MovePlan(
                back.map(),
                back.virtualShard(),
                back.source(),
                back.target(),
                back.epoch(),
                List.of(),
                List.of(),
                List.of());
        MovePlan looked = ReplacedServers.look(
                context.pools(),
                context.maps().load(move.map()),
                context.moves().identities(),
                plan);
        if (!looked.problems().isEmpty()) {
            throw new PreflightException(looked);
        }
    }

    /** See {@link Moves#complete}. */
    MoveStatus complete(MoveId id) {
        MoveStatus seen = context.moves().get(id);
        return switch (seen.state()) {
            case DONE -> seen;
            case CLEANING -> execution.run(seen, false, mover -> {});
            case REVERSIBLE, IRREVERSIBLE -> execution.run(seen, false, Mover::complete);
            default -> throw ReverseStream.notWaiting(seen, "completed");
        };
    }

    /** See {@link Moves#guard}. */
    MoveStatus guard(MoveId id) {
        MoveStatus seen = context.moves().get(id);
        String fault = look(seen).map(WayBack::fault).orElse(null);
        if (fault == null) {
            return seen;
        }
        try (Run run = openOneOrBoth(seen)) {
            // What was seen without the lease may be different by now.
            if (run.status().state() == MoveState.REVERSIBLE) {
                new Mover(run).giveUpWayBack(fault + ": server=" + seen.target() + "; complete the move");
            }
            return run.status();
        }
    }

    /** See {@link Moves#wayBack}. */
    Optional<WayBack> wayBack(MoveId id) {
        return look(context.moves().get(id));
    }

    private Optional<WayBack> look(MoveStatus move) {
        return move.state() == MoveState.REVERSIBLE ? Optional.of(ReverseStream.look(context, move)) : Optional.empty();
    }

    private Run openOneOrBoth(MoveStatus seen) {
        try {
            return Run.open(context, seen, false);
        } catch (ShardMapException failure) {
            if (failure.code() != ErrorCode.SERVER_UNAVAILABLE) {
                throw failure;
            }
            return Run.openTarget(context, context.moves().get(seen.id()));
        }
    }
}
