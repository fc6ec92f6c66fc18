package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses TCP ports for servers. They lie below the range from which systems take ports for outgoing connections
 * (32768 and up on Linux, 49152 elsewhere), so that nothing takes the port of a stopped server before it starts again;
 * and no port is given out twice in one JVM. Thread-safe.
 */
final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> given = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port) && given.add(port)) {
                return port;
            }
        }
        throw new TestkitException(
                Reason.SERVER_FAILED,
                "no free port found on loopback: from=" + LOWEST + ", to=" + HIGHEST + ", attempts=" + ATTEMPTS
                        + "; stop what listens there");
    }

    static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static TestkitException inUse(String server, int port) {
        return new TestkitException(
                Reason.PORT_IN_USE,
                "the port of a server must be free: server=" + server + ", port=" + port
                        + "; stop what listens there, name another port, or name none and get a free one");
    }
}
