package io.shardmap.cli.command;

import io.shardmap.cli.process.ExitCodes;
import io.shardmap.migrate.move.JournalEntry;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how far a move is. */
@Command(
        name = "status",
        description = {
            "Shows a move and its journal.",
            "With --watch it waits: the end is 0 when the move is done, 1 when it was undone, 4 when the time is over,"
                    + " 5 when nobody works on it any more."
        },
        footer = {"  shardmap move status 7", "  shardmap move status 7 --watch --timeout 10m"})
final class MoveStatusCommand extends MoveVerb {
    private static final Duration POLL = Duration.ofMillis(500);

    @Parameters(paramLabel = "MOVE", description = "Number of the move.")
    private long id;

    @Option(names = "--watch", description = "Waits until the move is over, and says each new state.")
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
            @Nullable String error,
            List<JournalEntry> journal) {
        static Detail of(MoveStatus move, List<JournalEntry> journal) {
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
                    move.error(),
                    journal);
        }
    }

    @Override
    int run(JdbcShardMapStore store, Moves moves) throws InterruptedException {
        MoveId move = new MoveId(id);
        MoveStatus now = moves.status(move);
        int exit = ExitCodes.DONE;
        if (watch) {
            now = watch(moves, now);
            exit = exitOf(now);
        }
        output.data().one("move", Detail.of(now, moves.journal(move)));
        if (now.isOrphaned()) {
            output.hint("shardmap move resume " + id);
        }
        return exit;
    }

    private MoveStatus watch(Moves moves, MoveStatus first) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        MoveStatus now = first;
        output.progress(sentence(now));
        while (!now.state().isOver() && !now.isOrphaned() && System.nanoTime() - deadline < 0) {
            var unused = new CountDownLatch(1).await(POLL.toMillis(), TimeUnit.MILLISECONDS);
            MoveStatus next = moves.status(now.id());
            if (next.state() != now.state()) {
                output.progress(sentence(next));
            }
            now = next;
        }
        return now;
    }

    private static int exitOf(MoveStatus move) {
        if (move.state().isOver()) {
            return move.state() == MoveState.DONE ? ExitCodes.DONE : ExitCodes.FAILED;
        }
        return move.isOrphaned() ? ExitCodes.PARTIAL : ExitCodes.STILL_RUNNING;
    }
}
