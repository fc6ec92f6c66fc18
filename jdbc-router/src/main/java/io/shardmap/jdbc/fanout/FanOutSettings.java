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
 * @param snapshot whether all servers' snapshots are taken before the first row is read
 * @param executor runs the shares of all servers but one, or null for the router's own
 * @param pulled how much a coordinator may collect for one query
 * @param result how much one query may return
 * @param coordinator name of the server that is the coordinator, or null for one chosen by the query
 */
record FanOutSettings(
        Duration deadline,
        int fetchSize,
        @Nullable Permits permits,
        boolean partial,
        boolean snapshot,
        @Nullable Executor executor,
        Amount pulled,
        Amount result,
        @Nullable String coordinator) {
    static final FanOutSettings DEFAULT = new FanOutSettings(
            Duration.ofSeconds(30),
            2_000,
            null,
            false,
            false,
            null,
            new Amount(1_000_000, 256L << 20),
            Amount.UNLIMITED,
            null);

    /**
     * How much at most.
     *
     * @param rows rows
     * @param bytes bytes of their values
     */
    record Amount(long rows, long bytes) {
        static final Amount UNLIMITED = new Amount(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    FanOutSettings withDeadline(Duration other) {
        return new FanOutSettings(other, fetchSize, permits, partial, snapshot, executor, pulled, result, coordinator);
    }

    FanOutSettings withFetchSize(int other) {
        return new FanOutSettings(deadline, other, permits, partial, snapshot, executor, pulled, result, coordinator);
    }

    FanOutSettings withPermits(Permits other) {
        return new FanOutSettings(deadline, fetchSize, other, partial, snapshot, executor, pulled, result, coordinator);
    }

    FanOutSettings withPartial() {
        return new FanOutSettings(deadline, fetchSize, permits, true, snapshot, executor, pulled, result, coordinator);
    }

    FanOutSettings withSnapshot() {
        return new FanOutSettings(deadline, fetchSize, permits, partial, true, executor, pulled, result, coordinator);
    }

    FanOutSettings withExecutor(Executor other) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, snapshot, other, pulled, result, coordinator);
    }

    FanOutSettings withPulled(Amount most) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, snapshot, executor, most, result, coordinator);
    }

    FanOutSettings withResult(Amount most) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, snapshot, executor, pulled, most, coordinator);
    }

    FanOutSettings withCoordinator(String server) {
        return new FanOutSettings(deadline, fetchSize, permits, partial, snapshot, executor, pulled, result, server);
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
