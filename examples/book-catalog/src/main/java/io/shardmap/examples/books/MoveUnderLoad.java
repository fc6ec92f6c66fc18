package io.shardmap.examples.books;

import static io.shardmap.examples.books.Screen.number;
import static io.shardmap.examples.books.Screen.time;

import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveListener;
import io.shardmap.migrate.move.MoveOptions;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.store.JdbcShardMapStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Moves a virtual shard to another server while an application works on it. */
final class MoveUnderLoad {
    private static final Duration BEFORE_AND_AFTER = Duration.ofSeconds(1);
    private static final MoveOptions OPTIONS =
            MoveOptions.DEFAULT.withGrace(Duration.ofSeconds(1)).withBatchRows(500);

    private final Screen screen;
    private final Checks checks;
    private final Workload workload;
    private final JdbcShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates a move that has not begun.
     *
     * @param pools connections of the mover; not the application's own
     */
    MoveUnderLoad(Screen screen, Checks checks, Workload workload, JdbcShardMapStore store, ServerPools pools) {
        this.screen = screen;
        this.checks = checks;
        this.workload = workload;
        this.store = store;
        this.pools = pools;
    }

    /** Finishes the moves that a demo left when it was interrupted. */
    static void finishInterrupted(Screen screen, JdbcShardMapStore store, ServerPools pools) {
        Moves moves = Moves.of(store, pools);
        for (MoveStatus left : moves.list()) {
            if (!left.state().isOver()) {
                screen.note("          finishing the move of virtual shard " + left.virtualShard()
                        + " that an earlier run left in state " + left.state());
                moves.resume(left.id());
            }
        }
    }

    /** Moves it; returns when the move is done and every request has been answered. */
    void run(int virtualShard, String target) throws InterruptedException {
        workload.start();
        try {
            TimeUnit.NANOSECONDS.sleep(BEFORE_AND_AFTER.toNanos());
            Journal journal = new Journal();
            Moves moves = Moves.of(store, pools).withListener(journal);
            MoveId move = moves.start(BookCatalog.MAP, virtualShard, target, OPTIONS);
            MoveStatus end = moves.run(move);
            checks.require(
                    end.state() == MoveState.DONE, "the move is " + end.state() + ", with epoch " + end.newEpoch());
            TimeUnit.NANOSECONDS.sleep(BEFORE_AND_AFTER.toNanos());
        } finally {
            workload.stop();
        }
        show("ratings written", workload.writes());
        show("books read", workload.reads());
        show("counts over all servers", workload.counts());
        List<String> errors = workload.errors();
        checks.require(
                errors.isEmpty(),
                errors.isEmpty()
                        ? "no request failed, and no answer was wrong"
                        : errors.size() + " requests failed or were answered wrongly, first: " + errors.get(0));
        checks.require(
                workload.writes().count() > 0
                        && workload.reads().count() > 0
                        && workload.counts().count() > 0,
                "writers, readers and the counter were at work all the time");
    }

    private void show(String what, Workload.Requests requests) {
        screen.line(String.format(
                Locale.ROOT, "%-26s %8s   longest pause %s", what, number(requests.count()), time(requests.longest())));
    }

    /** Shows how the move proceeds. */
    private final class Journal implements MoveListener {
        private final long start = System.nanoTime();

        @Override
        public void entered(MoveStatus move) {
            String meaning = switch (move.state()) {
                case PLANNED -> "recorded in the shard map";
                case PREFLIGHTED -> "nothing is in the way";
                case COPYING -> "its rows are copied; writes to this virtual shard wait";
                case CATCHING_UP -> "changes are streamed";
                case VERIFIED -> "source and target hold the same rows";
                case FENCED -> "writes wait";
                case SWITCHED -> "the shard map names " + move.target();
                case CLEANING -> move.target() + " serves; the old rows are removed from " + move.source();
                case DONE -> "nothing is left behind";
                case REVERSIBLE -> "both servers keep the rows: take it back, or complete it";
                case IRREVERSIBLE -> "there is no way back any more: " + move.error();
                case SWITCHED_BACK -> "the shard map names " + move.source();
                case ABORTING, ABORTED, REVERSING, REVERSED -> "taken back: " + move.error();
            };
            screen.line(String.format(
                    Locale.ROOT,
                    "%6s  %-11s  %s",
                    time(Duration.ofNanos(System.nanoTime() - start)),
                    move.state(),
                    meaning));
        }

        @Override
        public void copied(MoveStatus move, String table, long rows, long bytes) {
            screen.progress("copying " + table + ": " + number(rows) + " rows");
        }

        @Override
        public void cleaned(MoveStatus move, String table, long rows) {
            screen.progress("removing from " + move.source() + ": " + number(rows) + " rows of " + table);
        }
    }
}
