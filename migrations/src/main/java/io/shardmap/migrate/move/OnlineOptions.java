package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a move by the online method.
 *
 * @param pause how long one attempt of the cut-over may keep writers waiting for the stream and for the comparison; an attempt that is
 *     slower gives the lock back and is made again later. 100 ms to 10 min
 * @param catchUp how long the stream may take to catch up, and how long attempts of the cut-over go on. 1 s to 1 day
 * @param walLimit bytes of write-ahead log that the source may keep for the move; beyond it the move is undone. At least 1 MB
 * @param copiers how many connections per server copy rows at the same time, from 1 to 16; the pools need two more. More of them help when
 *     the servers have processors and disks to spare
 * @param throttle most bytes per second that all copiers of the move together read from the source, evenly; 0 for no limit, else at least
 *     10,000. Begin with half of what the copy does without a limit, and lower it until the application's own latency is as before.
 *     The slower the copy, the more write-ahead log the source keeps: raise {@code walLimit} with it
 * @param sourceUrl JDBC URL of the source as the target reaches it, without credentials; null when it is the server's replication
 *     URL in the map, or without one the URL that movers use
 * @param reversible whether a stream runs from the target back to the source after the switch, so that the move can be taken back with
 *     all that was written meanwhile; it then waits in {@link MoveState#REVERSIBLE} for {@link Moves#reverse} or {@link Moves#complete}.
 *     The target keeps write-ahead log for it within {@code walLimit}, see {@link Moves#guard}
 */
public record OnlineOptions(
        Duration pause,
        Duration catchUp,
        long walLimit,
        int copiers,
        long throttle,
        @Nullable String sourceUrl,
        boolean reversible) {
    private static final long MEGABYTE = 1_000_000;
    private static final int MOST_COPIERS = 16;
    private static final long LEAST_THROTTLE = 10_000;
    private static final int LONGEST_URL = 250;

    /** Pause 2 s, catch-up 30 min, 10 GB of write-ahead log, two copiers, no throttle, the server's own replication URL, no way back. */
    public static final OnlineOptions DEFAULT =
            new OnlineOptions(Duration.ofSeconds(2), Duration.ofMinutes(30), 10_000 * MEGABYTE, 2, 0, null, false);

    /**
     * Checks the ranges.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when a value is out of its range, or the URL is no PostgreSQL
     *     URL or holds a blank
     */
    public OnlineOptions {
        require("pause", pause, Duration.ofMillis(100), Duration.ofMinutes(10));
        require("catchUp", catchUp, Duration.ofSeconds(1), Duration.ofDays(1));
        if (walLimit < MEGABYTE) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "write-ahead log limit must be >= " + MEGABYTE + ": walLimit=" + walLimit);
        }
        if (copiers < 1 || copiers > MOST_COPIERS) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "number of copiers must be 1 to " + MOST_COPIERS + ": copiers=" + copiers);
        }
        if (throttle != 0 && throttle < LEAST_THROTTLE) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "throttle must be 0 (none) or >= " + LEAST_THROTTLE + " bytes per second: throttle=" + throttle);
        }
        if (sourceUrl != null
                && (!sourceUrl.startsWith("jdbc:postgresql:")
                        || sourceUrl.indexOf(' ') >= 0
                        || sourceUrl.length() > LONGEST_URL
                        || sourceUrl.contains("password="))) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "URL of the source must start with jdbc:postgresql:, have no blank and no password, and at most "
                            + LONGEST_URL + " characters");
        }
    }

    private static void require(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "duration of an online move must be " + least + " to " + most + ": " + name + "=" + value);
        }
    }

    /** Returns a copy with another pause. */
    public OnlineOptions withPause(Duration value) {
        return new OnlineOptions(value, catchUp, walLimit, copiers, throttle, sourceUrl, reversible);
    }

    /** Returns a copy with another limit for catching up. */
    public OnlineOptions withCatchUp(Duration value) {
        return new OnlineOptions(pause, value, walLimit, copiers, throttle, sourceUrl, reversible);
    }

    /** Returns a copy with another limit for the write-ahead log. */
    public OnlineOptions withWalLimit(long value) {
        return new OnlineOptions(pause, catchUp, value, copiers, throttle, sourceUrl, reversible);
    }

    /** Returns a copy with another number of copiers. */
    public OnlineOptions withCopiers(int value) {
        return new OnlineOptions(pause, catchUp, walLimit, value, throttle, sourceUrl, reversible);
    }

    /** Returns a copy with another throttle, in bytes per second; 0 for none. */
    public OnlineOptions withThrottle(long value) {
        return new OnlineOptions(pause, catchUp, walLimit, copiers, value, sourceUrl, reversible);
    }

    /** Returns a copy with another URL of the source. */
    public OnlineOptions withSourceUrl(@Nullable String value) {
        return new OnlineOptions(pause, catchUp, walLimit, copiers, throttle, value, reversible);
    }

    /** Returns a copy that keeps a way back, or does not. */
    public OnlineOptions withReversible(boolean value) {
        return new OnlineOptions(pause, catchUp, walLimit, copiers, throttle, sourceUrl, value);
    }
}
