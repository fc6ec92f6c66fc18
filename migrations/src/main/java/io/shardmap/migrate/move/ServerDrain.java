package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.UnknownServerException;
import io.shardmap.VirtualShard;
import io.shardmap.store.ShardMapStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves every virtual shard of all maps off a server: what {@code shardmap server drain} does. Keeps nothing of its own: what is still to
 * be done is read from the maps and the moves, so running it again goes on wherever it ended. Stateless.
 */
public final class ServerDrain {
    private static final Duration POLL = Duration.ofMillis(500);

    private final ShardMapStore store;
    private final Moves moves;

    /**
     * Creates the service.
     *
     * @param store the shard-map database
     * @param moves moves the virtual shards
     */
    public ServerDrain(ShardMapStore store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    /**
     * One virtual shard that leaves.
     *
     * @param map name of the map
     * @param virtualShard its number
     * @param target where it goes
     * @param move the move that was begun already and is gone on with, null for a new one
     */
    public record Step(
            String map,
            int virtualShard,
            String target,
            @Nullable MoveStatus move) {
        String shard() {
            return map + "/" + virtualShard;
        }
    }

    /**
     * What a drain does.
     *
     * @param server the server
     * @param steps what leaves it, moves that were begun first
     * @param busy moves off the server that another mover is at work on
     * @param waiting moves that somebody has to decide about first: what they keep on the server, or serve from it, stays there
     * @param problems what forbids the drain, one sentence each; empty when it can begin
     */
    public record Plan(
            String server, List<Step> steps, List<MoveStatus> busy, List<MoveStatus> waiting, List<String> problems) {
        /** Copies the lists. */
        public Plan {
            steps = List.copyOf(steps);
            busy = List.copyOf(busy);
            waiting = List.copyOf(waiting);
            problems = List.copyOf(problems);
        }

        /** Returns whether the server holds nothing, and nothing leaves it. */
        public boolean isDone() {
            return steps.isEmpty() && busy.isEmpty() && waiting.isEmpty() && problems.isEmpty();
        }
    }

    /**
     * Decides where everything goes: each virtual shard to the server that has the fewest of its map. Changes nothing.
     *
     * @param targets servers that may take them, empty for all others
     * @throws UnknownServerException when a server is not in the shard-map database
     */
    public Plan plan(String server, Collection<String> targets) {
        Set<String> known = store.servers().stream().map(Server::name).collect(Collectors.toCollection(TreeSet::new));
        for (String name : targets) {
            require(known, name);
        }
        require(known, server);
        Set<String> takers = new TreeSet<>(targets.isEmpty() ? known : targets);
        takers.remove(server);
        List<MoveStatus> active =
                moves.list().stream().filter(move -> !move.state().isOver()).toList();
        List<Step> steps = new ArrayList<>();
        List<MoveStatus> busy = new ArrayList<>();
        List<MoveStatus> waiting = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (MoveStatus move : active) {
            boolean back = move.state().isBackwards();
            String left = back ? move.target() : move.source();
            String taker = back ? move.source() : move.target();
            if (move.state().isWaiting()) {
                // It may go either way, and only its owner knows which: this must not decide.
                if (left.equals(server) || taker.equals(server)) {
                    waiting.add(move);
                }
            } else if (taker.equals(server)) {
                problems.add("no move may bring a virtual shard to a server that is drained: move=" + move.id()
                        + ", state=" + move.state() + "; wait for it or cancel it, then drain again");
            } else if (left.equals(server)) {
                if (move.leaseLive()) {
                    busy.add(move);
                } else {
                    steps.add(new Step(move.map(), move.virtualShard(), taker, move));
                }
            }
        }
        for (String name : store.mapNames()) {
            spread(store.load(name), server, takers, active, steps, problems);
        }
        return new Plan(server, steps, busy, waiting, problems);
    }

    private static void require(Set<String> known, String server) {
        if (!known.contains(server)) {
            throw new UnknownServerException(server);
        }
    }

    private static void spread(
            ShardMap map,
            String server,
            Set<String> takers,
            List<MoveStatus> active,
            List<Step> steps,
            List<String> problems) {
        Map<String, Integer> counts = new TreeMap<>();
        takers.forEach(taker -> counts.put(
                taker, map.placements().getOrDefault(taker, List.of()).size()));
        Set<Integer> moving = new TreeSet<>();
        for (MoveStatus move : active) {
            if (move.map().equals(map.name())) {
                moving.add(move.virtualShard());
                if (!move.state().isSwitched()) {
                    counts.computeIfPresent(move.target(), (taker, count) -> count + 1);
                }
            }
        }
        for (VirtualShard shard : map.virtualShards()) {
            if (!server.equals(shard.server()) || moving.contains(shard.id())) {
                continue;
            }
            if (shard.state() != VirtualShard.State.ASSIGNED) {
                problems.add("virtual shard must be assigned to be moved: map=" + map.name() + ", virtualShard="
                        + shard.id() + ", state=" + shard.state() + "; run `shardmap doctor`");
                continue;
            }
            if (counts.isEmpty()) {
                problems.add("another server must be there to take virtual shards: map=" + map.name() + ", server="
                        + server + "; add one first");
                return;
            }
            String target = counts.entrySet().stream()
                    .min(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow()
                    .getKey();
            counts.merge(target, 1, Integer::sum);
            steps.add(new Step(map.name(), shard.id(), target, null));
        }
    }

    /**
     * Looks for what is in the way of one step, by the method that {@link #run} would choose. Changes nothing.
     *
     * @param method how, null for the online method where it can be used
     * @return nothing for a move that was begun already
     */
    public List<PreflightProblem> problems(Step step, MoveOptions options, @Nullable MoveMethod method) {
        return step.move() != null ? List.of() : choose(step, options, method).problems();
    }

    /** Returns the method that {@link #run} would choose for a step now. */
    public MoveMethod method(Step step, MoveOptions options, @Nullable MoveMethod method) {
        return step.move() != null
                ? step.move().options().method()
                : choose(step, options, method).method();
    }

    private record Choice(MoveMethod method, List<PreflightProblem> problems) {}

    private Choice choose(Step step, MoveOptions options, @Nullable MoveMethod method) {
        if (method != null) {
            return preflight(step, options, method);
        }
        Choice online = preflight(step, options, MoveMethod.ONLINE);
        if (online.problems().isEmpty()) {
            return online;
        }
        Choice portable = preflight(step, options, MoveMethod.PORTABLE);
        return portable.problems().isEmpty() ? portable : online;
    }

    private Choice preflight(Step step, MoveOptions options, MoveMethod method) {
        return new Choice(
                method,
                moves.plan(step.map(), step.virtualShard(), step.target(), options.withMethod(method))
                        .problems());
    }

    /**
     * Drains. A virtual shard that cannot be moved does not keep the others. Moves that another mover is at work on are waited for, and
     * gone on with when it has died. Moves that wait for a decision are left as they are, and keep the server from being empty.
     *
     * @param method how, null for the online method where it can be used, else the portable one
     * @param atMost how many moves may be at work at once, from 1
     * @return how each step ended, and then how each busy move did
     * @throws ShardMapException with {@link ErrorCode#PREFLIGHT} when the plan has problems; nothing was changed
     */
    public List<MoveQueue.Outcome> run(Plan plan, MoveOptions options, @Nullable MoveMethod method, int atMost) {
        if (!plan.problems().isEmpty()) {
            throw new ShardMapException(
                    ErrorCode.PREFLIGHT,
                    "server must be free to be drained: server=" + plan.server() + ", problems="
                            + plan.problems().size() + "\n  " + String.join("\n  ", plan.problems()));
        }
        List<MoveQueue.Task> tasks = new ArrayList<>();
        plan.steps().forEach(step -> tasks.add(task(step, options, method)));
        plan.busy().forEach(move -> tasks.add(new MoveQueue.Task(move.shard(), any -> move.id(), this::await)));
        return new MoveQueue(moves, atMost).run(tasks);
    }

    private MoveQueue.Task task(Step step, MoveOptions options, @Nullable MoveMethod method) {
        MoveStatus begun = step.move();
        return begun != null
                ? MoveQueue.Task.resume(begun)
                : new MoveQueue.Task(
                        step.shard(),
                        running -> running.start(
                                step.map(),
                                step.virtualShard(),
                                step.target(),
                                options.withMethod(choose(step, options, method).method())),
                        Moves::run);
    }

    private MoveStatus await(Moves running, MoveId id) {
        MoveStatus now = running.status(id);
        while (now.leaseLive() && !now.state().isAtRest()) {
            Waiting.pause(this, POLL);
            now = running.status(id);
        }
        return now.state().isAtRest() ? now : running.resume(id);
    }
}
