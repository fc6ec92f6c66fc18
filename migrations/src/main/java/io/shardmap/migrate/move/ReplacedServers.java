package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.migrate.place.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Servers that were restored, or failed over: nothing moves to or from them before somebody has looked what they forgot. */
final class ReplacedServers {
    private ReplacedServers() {}

    /** Returns the plan with a problem for each of its servers that is not the one that was added. */
    static MovePlan look(ServerPools pools, ShardMap map, Map<String, ServerIdentity> remembered, MovePlan plan) {
        List<PreflightProblem> problems = new ArrayList<>(plan.problems());
        for (String name : List.of(plan.source(), plan.target())) {
            ServerIdentity before = remembered.get(name);
            if (before != null) {
                look(pools, map.server(name), before, problems);
            }
        }
        return new MovePlan(
                plan.map(),
                plan.virtualShard(),
                plan.source(),
                plan.target(),
                plan.epoch(),
                plan.tables(),
                problems,
                plan.notes());
    }

    private static void look(ServerPools pools, Server server, ServerIdentity before, List<PreflightProblem> problems) {
        ServerIdentity now;
        try (Connection connection = pools.open(server)) {
            now = ServerIdentity.read(connection).orElse(before);
        } catch (SQLException | ShardMapException unreachable) {
            // Its own problem, which the plan has already.
            return;
        }
        if (!now.equals(before)) {
            problems.add(new PreflightProblem(
                    Kind.SERVER_REPLACED,
                    "server must be the one that was added, for a restored one may have forgotten rows: server="
                            + server.name() + ", was=" + before + ", is=" + now
                            + "; run `shardmap doctor`, mend what it finds, then accept the server"));
        }
    }
}
