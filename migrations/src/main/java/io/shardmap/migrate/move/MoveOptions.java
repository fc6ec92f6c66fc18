package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Settings of one move, stored with it.
 *
 * @param fence how long the source stays fenced unless the mover renews it; writers wait at most this long for a mover that died. 1 s to
 *     10 min
 * @param grace pause between the switch and the removal of the source's rows; reads without a lock rely on it. 1 s to 1 day
 * @param batchRows rows copied or deleted in one transaction, from 1
 * @param lease how long a mover is taken for alive without a sign of life. 1 s to 10 min
 * @param lockWait how long the mover tries to get an exclusive lock, in attempts of a tenth of a second. 1 s to 1 day
 * @param method how the rows get to the target
 * @param online settings of the online method; the other one ignores them
 */
public record MoveOptions(
        Duration fence,
        Duration grace,
        int batchRows,
        Duration lease,
        Duration lockWait,
        MoveMethod method,
        OnlineOptions online) {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTES = Duration.ofMinutes(10);

    /** The portable method; fence 30 s, grace 5 s, batches of 5,000 rows, lease 30 s, lock wait 60 s. */
    public static final MoveOptions DEFAULT = new MoveOptions(
            Duration.ofSeconds(30), Duration.ofSeconds(5), 5_000, Duration.ofSeconds(30), Duration.ofSeconds(60));

    /**
     * Checks the ranges.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when a value is out of its range
     */
    public MoveOptions {
        require("fence", fence, MINUTES);
        require("grace", grace, Duration.ofDays(1));
        require("lease", lease, MINUTES);
        require("lockWait", lockWait, Duration.ofDays(1));
        if (batchRows < 1) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION, "batch must have at least one row: batchRows=" + batchRows);
        }
    }

    /** Creates settings of the portable method. */
    public MoveOptions(Duration fence, Duration grace, int batchRows, Duration lease, Duration lockWait) {
        this(fence, grace, batchRows, lease, lockWait, MoveMethod.PORTABLE, OnlineOptions.DEFAULT);
    }

    private static void require(String name, Duration value, Duration most) {
        if (value.compareTo(SECOND) < 0 || value.compareTo(most) > 0) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "duration of a move must be " + SECOND + " to " + most + ": " + name + "=" + value);
        }
    }

    /** Returns a copy with another fence. */
    public MoveOptions withFence(Duration value) {
        return new MoveOptions(value, grace, batchRows, lease, lockWait, method, online);
    }

    /** Returns a copy with another grace. */
    public MoveOptions withGrace(Duration value) {
        return new MoveOptions(fence, value, batchRows, lease, lockWait, method, online);
    }

    /** Returns a copy with another batch size. */
    public MoveOptions withBatchRows(int value) {
        return new MoveOptions(fence, grace, value, lease, lockWait, method, online);
    }

    /** Returns a copy with another lease. */
    public MoveOptions withLease(Duration value) {
        return new MoveOptions(fence, grace, batchRows, value, lockWait, method, online);
    }

    /** Returns a copy with another lock wait. */
    public MoveOptions withLockWait(Duration value) {
        return new MoveOptions(fence, grace, batchRows, lease, value, method, online);
    }

    /** Returns a copy with another method. */
    public MoveOptions withMethod(MoveMethod value) {
        return new MoveOptions(fence, grace, batchRows, lease, lockWait, value, online);
    }

    /** Returns a copy for the online method with these settings of it. */
    public MoveOptions withOnline(OnlineOptions value) {
        return new MoveOptions(fence, grace, batchRows, lease, lockWait, MoveMethod.ONLINE, value);
    }

    boolean isOnline() {
        return method == MoveMethod.ONLINE;
    }

    /** Returns whether the move keeps a way back after the switch, and waits: an online move that asks for one. */
    public boolean isReversible() {
        return isOnline() && online.reversible();
    }

    /** Returns the text to store; {@link #parse} reads it. */
    String stored() {
        return "fence=" + fence + " grace=" + grace + " batchRows=" + batchRows + " lease=" + lease + " lockWait="
                + lockWait
                + (isOnline()
                        ? " method=ONLINE pause=" + online.pause() + " catchUp=" + online.catchUp() + " walLimit="
                                + online.walLimit() + " copiers=" + online.copiers() + " throttle=" + online.throttle()
                                + (online.sourceUrl() == null ? "" : " sourceUrl=" + online.sourceUrl())
                                + (online.reversible() ? " reversible=true" : "")
                        : "");
    }

    /** Reads what {@link #stored} wrote; what is missing has its default. */
    static MoveOptions parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split(" ")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return new MoveOptions(
                duration(values, "fence", DEFAULT.fence),
                duration(values, "grace", DEFAULT.grace),
                Integer.parseInt(values.getOrDefault("batchRows", Integer.toString(DEFAULT.batchRows))),
                duration(values, "lease", DEFAULT.lease),
                duration(values, "lockWait", DEFAULT.lockWait),
                MoveMethod.valueOf(values.getOrDefault("method", MoveMethod.PORTABLE.name())),
                new OnlineOptions(
                        duration(values, "pause", DEFAULT.online.pause()),
                        duration(values, "catchUp", DEFAULT.online.catchUp()),
                        Long.parseLong(values.getOrDefault("walLimit", Long.toString(DEFAULT.online.walLimit()))),
                        Integer.parseInt(values.getOrDefault("copiers", Integer.toString(DEFAULT.online.copiers()))),
                        Long.parseLong(values.getOrDefault("throttle", Long.toString(DEFAULT.online.throttle()))),
                        values.get("sourceUrl"),
                        Boolean.parseBoolean(values.get("reversible"))));
    }

    private static Duration duration(Map<String, String> values, String name, Duration otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Duration.parse(value);
    }
}
