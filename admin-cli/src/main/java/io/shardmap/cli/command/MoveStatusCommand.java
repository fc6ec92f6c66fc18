package io.shardmap.cli.command;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.JournalEntry;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveProgress;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.move.WayBack;
import io.shardmap.store.JdbcShardMapStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how far a move is. */
@Command(
        name = "status",
        description = {
            "Shows how far a move is: phase, rows, bytes, rate, lag of the change stream, time left; and its journal. Of a move that"
                    + " waits and can be taken back, also how much write-ahead log the new server keeps for that.",
            "With --watch it waits and shows that all the while: the end is 0 when the move is done or can be taken back, 1 when it was"
                    + " undone or taken back, 4 when the time is over, 5 when nobody works on it any more, or its way back was given"
                    + " up."
        },
        footer = {"  shardmap move status 7", "  shardmap move status 7 --watch --timeout 10m"})
final class MoveStatusCommand extends MoveVerb {
    @Parameters(paramLabel = "MOVE", description = "Number of the move.")
    private long id;

    @Option(names = "--watch", description = "Waits until the move is over, and shows how it proceeds.")
    private boolean watch;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "1h",
            description = "How long --watch waits. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofHours(1);

    private record Detail(
            long id,
            String map,
            int virtualShard,
            String source,
            String target,
            MoveState state,
            boolean stalled,
            long epoch,
            long newEpoch,
            @Nullable String mover,
            @Nullable Instant leaseUntil,
            Instant createdAt,
            Instant updatedAt,
            @Nullable Long rows,
            @Nullable Long totalRows,
            @Nullable Long bytes,
            @Nullable Long totalBytes,
            @Nullable Long bytesPerSecond,
            @Nullable Long lagBytes,
            @Nullable Long remainingSeconds,
            @Nullable Long wayBackKeptBytes,
            @Nullable Long wayBackLagBytes,
            @Nullable Long wayBackLimitBytes,
            @Nullable String wayBackFault,
            @Nullable String error,
            @Nullable String next,
            List<JournalEntry> journal) {
        private static @Nullable Long remaining(MoveStatus move, @Nullable MoveProgress progress) {
            Duration rest = progress == null || move.state().isSwitched() ? null : progress.remaining();
            return rest == null ? null : rest.toSeconds();
        }

        static Detail of(
                MoveStatus move, @Nullable MoveProgress progress, @Nullable WayBack back, List<JournalEntry> journal) {
            return new Detail(
                    move.id().value(),
                    move.map(),
                    move.virtualShard(),
                    move.source(),
                    move.target(),
                    move.state(),
                    move.isOrphaned(),
                    move.epoch(),
                    move.newEpoch(),
                    move.leaseOwner(),
                    move.leaseUntil(),
                    move.createdAt(),
                    move.updatedAt(),
                    progress == null ? null : progress.rows(),
                    progress == null ? null : progress.totalRows(),
                    progress == null ? null : progress.bytes(),
                    progress == null ? null : progress.totalBytes(),
                    progress == null ? null : progress.bytesPerSecond(),
                    progress == null ? null : progress.lagBytes(),
                    remaining(move, progress),
                    back == null ? null : back.keptBytes(),
                    back == null ? null : back.lagBytes(),
                    back == null ? null : back.limitBytes(),
                    back == null ? null : back.fault(),
                    move.error(),
                    NextStep.of(move),
                    journal);
        }
    }

    @Override
    int run(JdbcShardMapStore store, Moves moves) throws InterruptedException {
        MoveId move = new MoveId(id);
        MoveStatus now = moves.status(move);
        int exit = ExitCodes.DONE;
        if (watch) {
            try (MoveDisplay display = progress.display(output)) {
                now = new MoveWatch(moves, display)
                        .await(List.of(move), timeout)
                        .get(0);
            }
            exit = MoveWatch.exitOf(List.of(now));
        }
        output.data()
                .one(
                        "move",
                        Detail.of(now, moves.progress(move).orElse(null), wayBack(moves, move), moves.journal(move)));
        String next = NextStep.of(now);
        if (next != null) {
            output.hint(next);
        }
        return exit;
    }

    /** What the map says is shown also when the server does not answer. */
    private @Nullable WayBack wayBack(Moves moves, MoveId move) {
        try {
            return moves.wayBack(move).orElse(null);
        } catch (ShardMapException failure) {
            if (failure.code() != ErrorCode.SERVER_UNAVAILABLE) {
                throw failure;
            }
            output.note("the way back could not be looked at: " + failure.getMessage());
            return null;
        }
    }
}
