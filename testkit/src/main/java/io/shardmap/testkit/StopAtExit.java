package io.shardmap.testkit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Closes at the end of the JVM what nobody closed before. Thread-safe. */
final class StopAtExit {
    private static final Set<ServerHandle> running = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(StopAtExit::closeAll, "shardmap-testkit-stop"));
    }

    private StopAtExit() {}

    static void register(ServerHandle server) {
        running.add(server);
    }

    static void forget(ServerHandle server) {
        running.remove(server);
    }

    private static void closeAll() {
        running.parallelStream().forEach(ServerHandle::close);
    }
}
