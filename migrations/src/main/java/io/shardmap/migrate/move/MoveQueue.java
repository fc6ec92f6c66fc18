package io.shardmap.migrate.move;

import io.shardmap.ShardMapException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs several moves, at most so many at once; the others wait for their turn. Moves of other processes count too: as long as they keep
 * the shard-map database busy with so many, none is begun here. Processes that look at the same instant may pass the limit for a while.
 * Used by one thread.
 */
public final class MoveQueue {
    private static final Duration POLL = Duration.ofMillis(250);

    private final Moves moves;
    private final int atMost;
    private final Set<MoveId> running = new HashSet<>();
    private int begun;

    /**
     * Creates a queue.
     *
     * @param atMost how many moves may be at work at once, from 1
     */
    public MoveQueue(Moves moves, int atMost) {
        if (atMost < 1) {
            throw new IllegalArgumentException("at least one move must be allowed at once: atMost=" + atMost);
        }
        this.moves = moves;
        this.atMost = atMost;
    }

    /**
     * One move to be run.
     *
     * @param shard map and virtual shard, for people
     * @param id gives its number when it is its turn; may record it only then
     * @param work runs it
     */
    public record Task(String shard, Function<Moves, MoveId> id, Work work) {

        /** Returns the task that runs a recorded move. */
        public static Task run(MoveStatus move) {
            return new Task(move.shard(), moves -> move.id(), Moves::run);
        }

        /** Returns the task that takes a move over. */
        public static Task resume(MoveStatus move) {
            return new Task(move.shard(), moves -> move.id(), Moves::resume);
        }

        /** Returns the task that takes a move back. */
        public static Task reverse(MoveStatus move) {
            return new Task(move.shard(), moves -> move.id(), Moves::reverse);
        }

        /** Returns the task that completes a move. */
        public static Task complete(MoveStatus move) {
            return new Task(move.shard(), moves -> move.id(), Moves::complete);
        }
    }

    /** What is done with a move. */
    @FunctionalInterface
    public interface Work {
        /** Runs the move until it is over. */
        MoveStatus run(Moves moves, MoveId id);
    }

    /**
     * How one move ended.
     *
     * @param shard map and virtual shard, for people
     * @param id its number, null when it could not be recorded
     * @param status how it is now, null when it could not be recorded
     * @param failure why it is not over, null when it is
     */
    public record Outcome(
            String shard,
            @Nullable MoveId id,
            @Nullable MoveStatus status,
            @Nullable ShardMapException failure) {

        /** Returns whether the move came to where it was sent: it serves from the target, and waits if it is to be reversible. */
        public boolean isDone() {
            return failure == null
                    && status != null
                    && (status.state() == MoveState.DONE || status.state() == MoveState.REVERSIBLE);
        }
    }

    /** Runs all tasks, in their order as far as the limit lets several begin, and returns how each ended, in the same order. */
    public List<Outcome> run(List<Task> tasks) {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(atMost, tasks.size())), task -> {
            Thread made = new Thread(task, "shardmap-move");
            made.setDaemon(true);
            return made;
        });
        try {
            List<Future<Outcome>> futures = new ArrayList<>();
            tasks.forEach(task -> futures.add(threads.submit(() -> run(task))));
            List<Outcome> outcomes = new ArrayList<>();
            for (Future<Outcome> future : futures) {
                outcomes.add(future.get());
            }
            return outcomes;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("moves go on as they are; resume them", e);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Outcome run(Task task) {
        try {
            awaitTurn();
        } catch (ShardMapException failure) {
            return new Outcome(task.shard(), null, null, failure);
        }
        MoveId id = null;
        try {
            id = task.id().apply(moves);
            enter(id);
            MoveStatus ended = task.work().run(moves, id);
            return new Outcome(task.shard(), id, ended, null);
        } catch (ShardMapException failure) {
            return new Outcome(task.shard(), id, id == null ? null : statusOrNull(id, failure), failure);
        } finally {
            leave(id);
        }
    }

    private @Nullable MoveStatus statusOrNull(MoveId id, ShardMapException failure) {
        try {
            return moves.status(id);
        } catch (ShardMapException second) {
            failure.addSuppressed(second);
            return null;
        }
    }

    private void awaitTurn() {
        while (!tryBegin()) {
            Waiting.pause(this, POLL);
        }
    }

    private synchronized boolean tryBegin() {
        long others = moves.list().stream()
                .filter(move -> !move.state().isOver() && move.leaseLive() && !running.contains(move.id()))
                .count();
        // What was begun here and has no number yet is no other's.
        if (begun + others >= atMost) {
            return false;
        }
        begun++;
        return true;
    }

    private synchronized void enter(MoveId id) {
        running.add(id);
    }

    private synchronized void leave(@Nullable MoveId id) {
        begun--;
        if (id != null) {
            running.remove(id);
        }
    }
}
