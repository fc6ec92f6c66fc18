package io.shardmap.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * The running servers that the test classes of this JVM share. It grows to the largest set asked for, and ends with
 * the JVM. Thread-safe.
 */
final class SharedServers {
    private static final String REFUSAL = "a shared server serves other tests too and cannot be stopped, killed or"
            + " started: ask for servers of your own with PostgresServers.named";

    private static final List<PostgresServer> running = new ArrayList<>();

    private SharedServers() {}

    static ServerSource of(List<String> names) {
        return () -> open(names);
    }

    private static List<PostgresServer> open(List<String> names) {
        List<PostgresServer> lenders = lenders(names.size());
        List<PostgresServer> loans = new ArrayList<>();
        try {
            for (int index = 0; index < names.size(); index++) {
                ServerAccess lender = lenders.get(index).access();
                loans.add(new PostgresServer(names.get(index), LoanedServer.of(lender, REFUSAL)));
            }
        } catch (RuntimeException e) {
            loans.forEach(PostgresServer::close);
            throw e;
        }
        return List.copyOf(loans);
    }

    private static List<PostgresServer> lenders(int count) {
        synchronized (running) {
            if (running.size() < count) {
                TestkitSettings settings = TestkitSettings.ofThisProcess();
                List<ServerPlan> missing = new ArrayList<>();
                for (int index = running.size(); index < count; index++) {
                    missing.add(new ServerPlan("shared" + index, index, null, 0, PostgresServersBuilder.SETTINGS));
                }
                running.addAll(new OwnServers(ServerBackend.of(settings), missing, settings.majorVersion()).open());
            }
            return List.copyOf(running.subList(0, count));
        }
    }
}
