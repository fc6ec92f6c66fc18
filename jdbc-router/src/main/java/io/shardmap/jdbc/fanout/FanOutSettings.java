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
 * @param pulledRows how many rows a coordinator may collect for one query
 * @param pulledBytes how many bytes a coordinator may collect for one query
 * @param coordinator name of the server that is the coordinator, or null for one chosen by the query
 */
record FanOutSettings(
        Duration deadline,
        int fetchSize,
        @Nullable Permits permits,
        boolean partial,
        @Nullable Executor executor,
        long pulledRows,
        long pulledBytes,
        @Nullable String coordinator) {
    static final FanOutSettings DEFAULT =
            new FanOutSettings(Duration.ofSeconds(30), 2_000, null, false, null, 1_000_000, 256L << 20, null);

    FanOutSettings withDeadline(Duration other) {
        return new FanOutSettings(other, fetchSize, permits, partial, executor, pulledRows, pulledBytes, coordinator);
    }

    FanOutSettings withFetchSize(int other) {
        return new FanOutSettings(deadline, other, permits, partial, executor, pulledRows, pulledBytes, coordinator);
    }

    FanOutSettings withPermits(Permits other) {
        return new FanOutSettings(deadline, fetchSize, other, partial, executor, pulledRows, pulledBytes, coordinator);
    }

    FanOutSettings withPartial() {
        return new FanOutSettings(deadline, fetchSize, permits, true, executor, pulledRows, pulledBytes, coordinator);
    }

    FanOutSettings withExecutor(Executor other) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, other, pulledRows, pulledBytes, coordinator);
    }

    FanOutSettings withPullLimit(long rows, long bytes) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, executor, rows, bytes, coordinator);
    }

    FanOutSettings withCoordinator(String server) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, executor, pulledRows, pulledBytes, server);
    }

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
