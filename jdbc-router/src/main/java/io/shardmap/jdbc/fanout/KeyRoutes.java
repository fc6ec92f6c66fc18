package io.shardmap.jdbc.fanout;

import io.shardmap.Route;
import io.shardmap.Server;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.server.OwnershipRow;
import io.shardmap.key.ShardKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which server is asked for which keys of a list, as one generation of the map says. The servers confirm it.
 *
 * @param view the generation, with the servers that are asked
 * @param parameter number of the list's parameter, from 1
 * @param keys the keys of each server
 * @param virtualShards the virtual shards of those keys
 */
record KeyRoutes(
        MapView view, int parameter, Map<String, List<ShardKey>> keys, Map<String, Set<Integer>> virtualShards) {

    /**
     * Routes the list among the parameters of a query, if there is one.
     *
     * @return null when there is none
     * @throws SQLException 0A000 when rows without a key of the list could be in the answer
     */
    static @Nullable KeyRoutes of(FanOutPlan.Ready plan, List<@Nullable Object> parameters, MapView view)
            throws SQLException {
        int number = 0;
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i) instanceof ShardKeys) {
                if (number > 0) {
                    throw SqlErrors.notSupported("query must have one list of shard keys: parameters=" + number + ", "
                            + (i + 1) + "; pass the others as arrays, or run a query for each list");
                }
                number = i + 1;
            }
        }
        if (number == 0 || !(parameters.get(number - 1) instanceof ShardKeys list)) {
            return null;
        }
        if (!KeyCondition.parameters(plan.query()).contains(number)) {
            throw SqlErrors.notSupported("list of shard keys must be in a condition that all rows meet: parameter="
                    + number + "; write `WHERE column = ANY (?)`, and join other conditions to it by AND");
        }
        return route(list, number, plan, view);
    }

    private static KeyRoutes route(ShardKeys list, int parameter, FanOutPlan.Ready plan, MapView view) {
        Map<String, List<ShardKey>> keys = new HashMap<>();
        Map<String, Set<Integer>> virtualShards = new HashMap<>();
        for (ShardKey key : list.canonical(view.map().keyType())) {
            Route route = view.map().route(key);
            String server = route.server().name();
            keys.computeIfAbsent(server, first -> new ArrayList<>()).add(key);
            virtualShards.computeIfAbsent(server, first -> new HashSet<>()).add(route.virtualShard());
        }
        List<Server> asked = view.servers().stream()
                .filter(server -> keys.containsKey(server.name()))
                .toList();
        if (asked.isEmpty() && plan.givesOneRow()) {
            asked = view.servers().stream().limit(1).toList(); // the row says that there is nothing
        }
        return new KeyRoutes(view.asking(asked), parameter, keys, virtualShards);
    }

    /** Returns the value that a server gets for a parameter. */
    @Nullable
    Object value(int number, @Nullable Object given, String server) {
        return number == parameter
                ? ShardKeys.array(view.map().keyType(), keys.getOrDefault(server, List.of()))
                : given;
    }

    /** Returns what is missing of the keys' virtual shards: those that the server asked for them does not own. */
    Coverage coverage(FanOutRun run) {
        Set<Integer> missing = new TreeSet<>();
        for (Share share : run.shares()) {
            if (share.error() == null) {
                Set<Integer> wanted = new TreeSet<>(virtualShards.getOrDefault(share.name(), Set.of()));
                share.ownership().stream()
                        .filter(OwnershipRow::owned)
                        .forEach(row -> wanted.remove(row.virtualShard()));
                missing.addAll(wanted);
            }
        }
        return new Coverage(List.copyOf(missing), List.of(), List.of());
    }
}
