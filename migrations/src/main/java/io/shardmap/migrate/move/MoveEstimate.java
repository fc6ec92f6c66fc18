package io.shardmap.migrate.move;

import java.time.Duration;

/**
 * What a move costs, before it begins.
 *
 * @param rows rows to copy, all tables together
 * @param rowsCounted whether they were counted; else the planner's estimate, because counting took longer than some seconds
 * @param bytes about so many bytes on the network, from a sample of the rows; 0 on H2
 * @param bytesPerSecond the rate this reckons with
 * @param movesMeasured how many earlier moves the rate was measured in; 0 when it is only assumed
 * @param duration about how long the move will take, its grace included
 */
public record MoveEstimate(
        long rows, boolean rowsCounted, long bytes, long bytesPerSecond, int movesMeasured, Duration duration) {
    /** What a modest disk and network do; used until a move was measured. */
    static final long ASSUMED_BYTES_PER_SECOND = 10_000_000;

    static MoveEstimate of(MoveSize size, MoveOptions options, ProgressStore.Rate measured) {
        long rate = measured.moves() == 0 ? ASSUMED_BYTES_PER_SECOND : Math.max(1, measured.bytesPerSecond());
        Duration copy = Duration.ofMillis(Math.round(1_000.0 * size.bytes() / rate));
        return new MoveEstimate(
                size.rows(), size.counted(), size.bytes(), rate, measured.moves(), copy.plus(options.grace()));
    }
}
