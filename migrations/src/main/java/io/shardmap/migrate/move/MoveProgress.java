package io.shardmap.migrate.move;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the copy of a move is, as its mover said at most a second before {@code updatedAt}.
 *
 * @param totalRows rows of the virtual shard when the mover began, all tables together; 0 when not known
 * @param totalBytes about so many bytes they are on the network; 0 when not known, and on H2
 * @param rows rows copied
 * @param bytes bytes copied; 0 on H2
 * @param bytesPerSecond rate of the copy since it began
 * @param lagBytes what the change stream had before it, null while there was none
 * @param updatedAt when this was written, by the clock of the shard-map database
 */
public record MoveProgress(
        long totalRows,
        long totalBytes,
        long rows,
        long bytes,
        long bytesPerSecond,
        @Nullable Long lagBytes,
        Instant updatedAt) {

    /** Returns how much of the copy is done, 0 to 1. */
    public double share() {
        return totalRows == 0 ? 0 : Math.min(1.0, (double) rows / totalRows);
    }

    /** Returns how long the rest of the copy will take at the present rate; null when that cannot be told. */
    public @Nullable Duration remaining() {
        if (bytesPerSecond == 0 || totalBytes == 0 || share() >= 1) {
            return null;
        }
        double rest = totalBytes * (1 - share());
        return Duration.ofMillis(Math.round(1_000 * rest / bytesPerSecond));
    }
}
