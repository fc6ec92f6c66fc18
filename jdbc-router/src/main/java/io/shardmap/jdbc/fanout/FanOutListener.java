package io.shardmap.jdbc.fanout;

import java.util.List;

/**
 * Is told of the queries over servers. Called by the thread that runs the query or reads its rows, so it should return soon, and must not
 * throw. Every method does nothing by default.
 */
public interface FanOutListener {
    /** Does nothing. */
    FanOutListener NONE = new FanOutListener() {};

    /** How a query ended. */
    enum Outcome {
        /** All rows that the caller wanted came. */
        SUCCESS,
        /** Servers failed, and the caller had allowed it. */
        PARTIAL,
        /** The deadline passed. */
        TIMEOUT,
        /** It was refused, interrupted, or failed on a server. */
        ERROR
    }

    /** A query begins; {@link #ended} follows, when its result is closed or its rows are read. */
    default void started(String map) {}

    /**
     * A query has ended.
     *
     * @param nanos time since it began, reading its rows included, in nanoseconds
     * @param rows how many rows the caller read
     * @param servers how each server did; empty when the query failed before it had its first rows
     */
    default void ended(String map, Outcome outcome, long nanos, long rows, List<ServerOutcome> servers) {}
}
