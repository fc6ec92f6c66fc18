package io.shardmap.jdbc.fanout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * How a fan-out runs.
 *
 * @param deadline time from the call to the last row
 * @param fetchSize rows per server and round trip
 * @param permits how many of these fan-outs one server serves at a time, or null when only its pool limits them
 * @param partial whether the answer may lack servers
 * @param executor runs the shares of all servers but one, or null for the router's own
 */
record FanOutSettings(
        Duration deadline,
        int fetchSize,
        @Nullable Permits permits,
        boolean partial,
        @Nullable Executor executor) {
    static final FanOutSettings DEFAULT = new FanOutSettings(Duration.ofSeconds(30), 2_000, null, false, null);

    /** A limit per server, shared by all copies of one {@link FanOut}. */
    static final class Permits {
        private final int perServer;
        private final Map<String, Semaphore> servers = new ConcurrentHashMap<>();

        Permits(int perServer) {
            this.perServer = perServer;
        }

        Semaphore of(String server) {
            return servers.computeIfAbsent(server, name -> new Semaphore(perServer, true));
        }
    }
}
