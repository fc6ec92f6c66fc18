package io.shardmap.testkit;

import java.util.ArrayList;
import java.util.List;

/** Servers of one set alone, which may be stopped and killed. */
record OwnServers(ServerBackend backend, List<ServerPlan> plans, int requiredMajor) implements ServerSource {
    OwnServers {
        plans = List.copyOf(plans);
    }

    @Override
    public List<PostgresServer> open() {
        List<ServerHandle> handles = ParallelStart.all(backend, plans);
        List<PostgresServer> servers = new ArrayList<>();
        for (int index = 0; index < handles.size(); index++) {
            servers.add(new PostgresServer(plans.get(index).name(), handles.get(index)));
        }
        try {
            servers.forEach(server -> server.requireMajorVersion(requiredMajor, backend.versionAdvice()));
        } catch (RuntimeException e) {
            servers.forEach(PostgresServer::close);
            throw e;
        }
        return List.copyOf(servers);
    }
}
