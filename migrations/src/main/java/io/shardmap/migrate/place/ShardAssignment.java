package io.shardmap.migrate.place;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.VirtualShard;
import io.shardmap.VirtualShard.State;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.store.JdbcShardMapStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Gives virtual shards their first server: what {@code shardmap shard assign} does. A move without data in two steps, so that a crash at
 * any point is completed by repeating the call: the map says ASSIGNING with a new epoch, the server opens at that epoch, the map says
 * ASSIGNED. Stateless.
 */
public final class ShardAssignment {
    private static final int BATCH = 1_000;

    private final JdbcShardMapStore store;
    private final ServerPools pools;
    private final Consumer<Step> hook;

    /** The boundaries between the steps: where a test lets the process die. */
    public enum Step {
        /** The map says ASSIGNING. */
        ASSIGNING_IN_MAP,
        /** The server is open. */
        OPEN_ON_SERVER,
        /** The map says ASSIGNED. */
        ASSIGNED_IN_MAP
    }

    /**
     * Creates the service.
     *
     * @param store the shard-map database; its credentials may write
     * @param pools connections to the servers as the owner of Shardmap's objects
     */
    public ShardAssignment(JdbcShardMapStore store, ServerPools pools) {
        this(store, pools, step -> {});
    }

    /** Creates the service with a hook that is called after each step, for tests. */
    public ShardAssignment(JdbcShardMapStore store, ServerPools pools, Consumer<Step> hook) {
        this.store = store;
        this.pools = pools;
        this.hook = hook;
    }

    /**
     * What an assignment does.
     *
     * @param map name of the map
     * @param server the server
     * @param epochs the virtual shards that are opened there, each with its epoch; those that are there already are left out
     */
    public record Plan(String map, String server, Map<Integer, Long> epochs) {
        /** Copies the epochs. */
        public Plan {
            epochs = Map.copyOf(epochs);
        }
    }

    /**
     * Looks for what has to be done, and for everything that is in the way. Changes nothing.
     *
     * @throws AssignmentRefusedException when a virtual shard is on another server, on a server the map does not know of, or unknown, or
     *     when a server does not answer
     */
    public Plan plan(String map, Collection<Integer> virtualShards, String server) {
        return toPlan(store.load(map), virtualShards, server);
    }

    private Plan toPlan(ShardMap map, Collection<Integer> virtualShards, String server) {
        map.server(server);
        List<String> problems = new ArrayList<>();
        List<VirtualShard> wanted = new ArrayList<>();
        for (int id : new TreeSet<>(virtualShards)) {
            if (id < 0 || id >= map.virtualShards().size()) {
                problems.add("virtual shard must be one of the map's: map=" + map.name() + ", virtualShard=" + id
                        + ", virtualShards=" + map.virtualShards().size());
            } else {
                check(map, map.virtualShards().get(id), server, wanted, problems);
            }
        }
        Map<Integer, Long> highest = wanted.isEmpty() ? Map.of() : highestEpochs(map, wanted, server, problems);
        if (!problems.isEmpty()) {
            throw new AssignmentRefusedException(problems);
        }
        Map<Integer, Long> epochs = new TreeMap<>();
        for (VirtualShard shard : wanted) {
            long seen = highest.getOrDefault(shard.id(), 0L);
            boolean keeps = shard.state() == State.ASSIGNING && shard.epoch() >= seen;
            epochs.put(shard.id(), keeps ? shard.epoch() : Math.max(seen, shard.epoch()) + 1);
        }
        return new Plan(map.name(), server, epochs);
    }

    private static void check(
            ShardMap map, VirtualShard shard, String server, List<VirtualShard> wanted, List<String> problems) {
        String where = "map=" + map.name() + ", virtualShard=" + shard.id() + ", server=" + shard.server();
        switch (shard.state()) {
            case UNASSIGNED -> wanted.add(shard);
            case ASSIGNING -> {
                if (server.equals(shard.server())) {
                    wanted.add(shard);
                } else {
                    problems.add("virtual shard must not be half assigned elsewhere: " + where
                            + "; finish that with `shardmap shard assign --server " + shard.server()
                            + "`, then move it");
                }
            }
            case ASSIGNED -> {
                if (!server.equals(shard.server())) {
                    problems.add(
                            "virtual shard must be free: " + where + "; use `shardmap move start --to " + server + "`");
                }
            }
        }
    }

    private Map<Integer, Long> highestEpochs(
            ShardMap map, List<VirtualShard> wanted, String target, List<String> problems) {
        Map<Integer, VirtualShard> byId = new TreeMap<>();
        wanted.forEach(shard -> byId.put(shard.id(), shard));
        Map<Integer, Long> highest = new TreeMap<>();
        for (Server server : store.servers()) {
            try (Connection connection = pools.open(server)) {
                for (OwnershipTable.Row row : OwnershipTable.read(connection, map.number())) {
                    VirtualShard shard = byId.get(row.virtualShard());
                    if (shard != null) {
                        highest.merge(row.virtualShard(), row.epoch(), Math::max);
                        boolean begun = server.name().equals(target) && row.epoch() == shard.epoch();
                        if (row.holdsCopies() && server.name().equals(target)) {
                            problems.add("server must have no left-over rows of the virtual shard: map=" + map.name()
                                    + ", virtualShard=" + row.virtualShard() + ", server=" + server.name()
                                    + "; run `shardmap doctor`");
                        }
                        if (row.owned() && !begun) {
                            problems.add("virtual shard must be open nowhere: map=" + map.name() + ", virtualShard="
                                    + row.virtualShard() + ", server=" + server.name() + ", epoch=" + row.epoch()
                                    + "; run `shardmap doctor`");
                        }
                    }
                }
            } catch (SQLException | ShardMapException failure) {
                problems.add("every server must answer, for the new epoch must be the highest: server=" + server.name()
                        + ", error=" + failure.getMessage());
            }
        }
        return highest;
    }

    /**
     * Assigns virtual shards to a server. Repeating it completes what a crash left, and changes nothing when all is done.
     *
     * @return what was done
     * @throws AssignmentRefusedException as {@link #plan} does; nothing was changed
     */
    public Plan assign(String map, Collection<Integer> virtualShards, String server) {
        ShardMap loaded = store.load(map);
        Plan plan = toPlan(loaded, virtualShards, server);
        List<Integer> ids = plan.epochs().keySet().stream().sorted().toList();
        for (int from = 0; from < ids.size(); from += BATCH) {
            assign(loaded, plan, ids.subList(from, Math.min(ids.size(), from + BATCH)));
        }
        return plan;
    }

    private void assign(ShardMap map, Plan plan, List<Integer> ids) {
        Map<Integer, Long> epochs = new TreeMap<>();
        for (int id : ids) {
            Long epoch = plan.epochs().get(id);
            epochs.put(id, epoch == null ? 0L : epoch);
        }
        store.change(transaction -> {
            for (Map.Entry<Integer, Long> entry : epochs.entrySet()) {
                VirtualShard expected = map.virtualShards().get(entry.getKey());
                VirtualShard next = new VirtualShard(expected.id(), plan.server(), entry.getValue(), State.ASSIGNING);
                if (!next.equals(expected)) {
                    transaction.place(map.name(), expected, next);
                }
            }
            return epochs.size();
        });
        hook.accept(Step.ASSIGNING_IN_MAP);
        open(map, plan, epochs);
        hook.accept(Step.OPEN_ON_SERVER);
        store.change(transaction -> {
            for (Map.Entry<Integer, Long> entry : epochs.entrySet()) {
                transaction.place(
                        map.name(),
                        new VirtualShard(entry.getKey(), plan.server(), entry.getValue(), State.ASSIGNING),
                        new VirtualShard(entry.getKey(), plan.server(), entry.getValue(), State.ASSIGNED));
            }
            return epochs.size();
        });
        hook.accept(Step.ASSIGNED_IN_MAP);
    }

    private void open(ShardMap map, Plan plan, Map<Integer, Long> epochs) {
        try (Connection connection = pools.open(map.server(plan.server()))) {
            List<Integer> newer = OwnershipTable.open(connection, map.number(), epochs);
            if (!newer.isEmpty()) {
                throw new ShardMapException(
                        ErrorCode.CONCURRENT_CHANGE,
                        "epoch on the server must not be newer: map=" + map.name() + ", server=" + plan.server()
                                + ", virtualShards=" + newer + "; somebody changed them meanwhile: look again");
            }
        } catch (SQLException failure) {
            throw new ShardMapException(
                    ErrorCode.SERVER_UNAVAILABLE,
                    "server must open its virtual shards: server=" + plan.server() + ", error=" + failure.getMessage()
                            + "; repeat the call to complete it",
                    failure);
        }
    }
}
