package io.shardmap.cli.command;

import io.shardmap.migrate.move.MoveMethod;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.OnlineOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that begin moves. */
public final class MoveSettings {
    @Option(
            names = "--fence",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "30s",
            description = "How long writers of the virtual shard wait at most, should this command die. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Duration fence = Duration.ofSeconds(30);

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "5s",
            description = "Pause before rows are removed from the old server. Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ofSeconds(5);

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "30s",
            description =
                    "After so long without a sign of life this command counts as dead. Default: ${DEFAULT-VALUE}.")
    private Duration lease = Duration.ofSeconds(30);

    @Option(
            names = "--copiers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Online method: so many connections copy rows at the same time. Default: ${DEFAULT-VALUE}.")
    private int copiers = 2;

    @Option(
            names = "--throttle",
            paramLabel = "SIZE",
            converter = ByteSizes.class,
            description = "Online method: most bytes per second that the copy reads, such as 20MiB. Default: no limit.")
    private @Nullable Long throttle;

    @Option(
            names = "--wal-limit",
            paramLabel = "SIZE",
            converter = ByteSizes.class,
            description =
                    "Online method: most write-ahead log that a server keeps for a move, such as 50GB. Beyond it the"
                            + " move is undone, or its way back given up. Default: 10GB.")
    private @Nullable Long walLimit;

    /** Returns the settings for a method; {@code sourceUrl} is null to take the one in the map. */
    MoveOptions options(MoveMethod method, @Nullable String sourceUrl) {
        OnlineOptions online = OnlineOptions.DEFAULT
                .withSourceUrl(sourceUrl)
                .withCopiers(copiers)
                .withThrottle(throttle == null ? 0 : throttle);
        return MoveOptions.DEFAULT
                .withOnline(walLimit == null ? online : online.withWalLimit(walLimit))
                .withMethod(method)
                .withFence(fence)
                .withLease(lease)
                .withGrace(grace);
    }
}
