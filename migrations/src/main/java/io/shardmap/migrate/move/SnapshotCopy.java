package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Copies all tables as one exported snapshot of the source has them, by several copiers at the same time. A copier is a thread with a
 * session on each server; each batch is a transaction of the target that holds the mover's token, like everything a mover does there.
 * The mover's own thread hears of the batches, tells the listener, and ends all copiers when one fails.
 */
final class SnapshotCopy implements AutoCloseable {
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Run run;
    private final Copier copier;
    private final Throttle throttle;
    private final CopyPieces pieces;
    private final List<MoverSession> sessions = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    private sealed interface Event {
        /** A copier has the snapshot. */
        record Imported() implements Event {}

        /** A batch was committed. */
        record Batch(String table, long rows, long bytes) implements Event {}

        /** A copier has ended. */
        record Ended(@Nullable Throwable failure) implements Event {}
    }

    private record Total(long rows, long bytes) {
        Total plus(Total more) {
            return new Total(rows + more.rows, bytes + more.bytes);
        }
    }

    SnapshotCopy(Run run, Copier copier) {
        OnlineOptions options = run.move().options().online();
        this.run = run;
        this.copier = copier;
        this.throttle = new Throttle(options.throttle());
        this.pieces = run.source().read("plan the copy", (on, dialect) -> {
            List<List<CopyPiece>> all = new ArrayList<>();
            for (TableShape table : copier.parentsFirst()) {
                all.add(CopyPiece.of(on, table, run.place().virtualShard(), options.copiers()));
            }
            return CopyPieces.of(all);
        });
    }

    /**
     * Copies everything.
     *
     * @param imported is called when the snapshot need not be exported any longer
     * @param check is called about once per second; ends the copy by what it throws
     */
    void run(String snapshot, Runnable imported, Runnable check) {
        int copiers = run.move().options().online().copiers();
        for (int number = 0; number < copiers; number++) {
            start(number, snapshot);
        }
        int left = copiers;
        int waiting = copiers;
        long lastCheck = System.nanoTime();
        Map<String, Total> totals = new HashMap<>();
        while (left > 0) {
            Event event = next();
            if (event instanceof Event.Imported && --waiting == 0) {
                imported.run();
            } else if (event instanceof Event.Batch batch) {
                tell(batch, totals);
            } else if (event instanceof Event.Ended ended) {
                rethrow(ended.failure());
                left--;
            }
            if (System.nanoTime() - lastCheck > BETWEEN_CHECKS.toNanos()) {
                lastCheck = System.nanoTime();
                run.requireLease();
                check.run();
            }
        }
    }

    private @Nullable Event next() {
        try {
            return events.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Waiting.interrupted();
        }
    }

    private void tell(Event.Batch batch, Map<String, Total> totals) {
        Total total = totals.merge(batch.table(), new Total(batch.rows(), batch.bytes()), Total::plus);
        run.context().listener().copied(run.move(), batch.table(), total.rows(), total.bytes());
        run.reached(CrashPoint.AFTER_BATCH);
    }

    private static void rethrow(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    private void start(int number, String snapshot) {
        MoverSession reader = opened(run.move().source());
        MoverSession writer = opened(run.move().target());
        Thread thread = new Thread(
                () -> {
                    Throwable failure = null;
                    try {
                        copy(reader, writer, snapshot);
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                    events.add(new Event.Ended(failure));
                },
                "shardmap-copier-" + run.move().id() + "-" + number);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private MoverSession opened(String server) {
        MoverSession session = run.openSession(server);
        sessions.add(session);
        return session;
    }

    private void copy(MoverSession reader, MoverSession writer, String snapshot) {
        boolean free = writer.unchecked("look at privileges", (on, dialect) -> mayLeaveOutTriggers(on));
        reader.unchecked("copy a snapshot", (from, dialect) -> {
            try (Statement begin = from.createStatement()) {
                begin.execute("set transaction isolation level repeatable read read only");
                begin.execute("set transaction snapshot '" + snapshot + "'");
            }
            events.add(new Event.Imported());
            CopyPiece piece = take();
            while (piece != null) {
                copy(from, piece, writer, free);
                pieces.done();
                piece = take();
            }
            return true;
        });
    }

    private @Nullable CopyPiece take() {
        try {
            return pieces.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Waiting.interrupted();
        }
    }

    private void copy(Connection from, CopyPiece piece, MoverSession writer, boolean free) throws SQLException {
        TableShape table = piece.table();
        CopyStream.Format format = writer.unchecked("prepare a copy", (to, dialect) -> {
            if (free) {
                leaveOutTriggers(to, table);
            }
            return CopyStream.Format.between(from, to, table);
        });
        int limit = table.referencesItself()
                ? Integer.MAX_VALUE
                : run.move().options().batchRows();
        try (CopyStream rows = CopyStream.open(from, piece, format, this::pass)) {
            int copied;
            do {
                long before = rows.bytes();
                copied = writer.run("copy " + table.fullName(), (to, dialect) -> {
                    copier.requireNotOwner(dialect, to, writer);
                    return rows.copy(to, limit);
                });
                if (copied > 0) {
                    events.add(new Event.Batch(table.table().qualifiedName(), copied, rows.bytes() - before));
                }
            } while (copied == limit);
        }
    }

    private void pass(int bytes) {
        throttle.pass(bytes, pieces::isStopped);
        if (pieces.isStopped()) {
            throw new ConcurrentChangeException("copy was stopped: virtualShard=" + run.place());
        }
    }

    private static boolean mayLeaveOutTriggers(Connection target) throws SQLException {
        try (Statement query = target.createStatement();
                ResultSet row =
                        query.executeQuery("select has_parameter_privilege('session_replication_role', 'SET')")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /**
     * The guard asks for each row what the transaction holds anyway, and the stream applies its changes without it too. Foreign keys are
     * checked: the tables that they point to may not be part of the move.
     */
    private static void leaveOutTriggers(Connection target, TableShape table) throws SQLException {
        try (PreparedStatement set =
                target.prepareStatement("select set_config('session_replication_role', ?, false)")) {
            set.setString(1, table.references().isEmpty() ? "replica" : "origin");
            set.execute();
        }
    }

    /** Ends all copiers, in the middle of what they do unless all is done, and waits until they are gone. */
    @Override
    public void close() {
        pieces.stop();
        threads.stream().filter(Thread::isAlive).forEach(Thread::interrupt);
        if (threads.stream().anyMatch(Thread::isAlive)) {
            sessions.forEach(MoverSession::abort);
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        sessions.forEach(MoverSession::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
