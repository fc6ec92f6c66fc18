package io.shardmap.migrate.move;

import io.shardmap.migrate.changes.ChangedRows;
import io.shardmap.migrate.changes.ChangedRows.Change;
import io.shardmap.migrate.changes.RowComparison;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows that changed since the whole tables were compared: while writers go on, until few are left, and those under the lock
 * of the cut-over. Tables whose rows have no key are compared as a whole if they changed, and so is everything when the changes are
 * not known. Used by the mover's thread.
 *
 * <p>A row is settled when the target, which has its last change, and then the source say the same of it. Should it change later, the
 * log tells so, and it is compared again.
 */
final class ChangeCheck implements AutoCloseable {
    /** So many are compared within a few milliseconds. */
    private static final int FEW = 100;

    /** When there are more than a few after so many rounds, writers are about as fast as comparisons. */
    private static final int ROUNDS = 10;

    private final Run run;
    private final Copier copier;
    private final ChangeStream stream;
    private final ChangedRows changes;

    private ChangeCheck(Run run, Copier copier, ChangeStream stream, ChangedRows changes) {
        this.run = run;
        this.copier = copier;
        this.stream = stream;
        this.changes = changes;
    }

    /** Knows of all changes from here on. */
    static ChangeCheck start(Run run, Copier copier, ChangeStream stream) {
        return new ChangeCheck(run, copier, stream, stream.follow(copier.parentsFirst()));
    }

    /** Compares rows until few are unsettled. */
    void settle(MoverSession reader) {
        for (int round = 0; round < ROUNDS && changes.size() > FEW; round++) {
            run.requireLease();
            RowComparison rows = comparison();
            if (!stream.awaitApplied(
                    stream.position(reader), run.move().options().online().pause())) {
                return;
            }
            RowComparison.Digests there = run.target().read("compare changed rows", (on, dialect) -> rows.read(on));
            reader.read("compare changed rows", (on, dialect) -> {
                int oldest = oldestTransaction(on);
                for (Change same : rows.equal(rows.read(on), there)) {
                    // What is in the log may not be visible yet, see synchronous_standby_names.
                    if (same.transaction() - oldest < 0) {
                        changes.settle(same);
                    }
                }
                return true;
            });
        }
    }

    private RowComparison comparison() {
        return new RowComparison(copier.parentsFirst(), run.place().virtualShard(), changes.unsettled());
    }

    /** Whatever is older has ended, and can be seen by statements from now on. */
    private static int oldestTransaction(Connection on) throws SQLException {
        try (Statement query = on.createStatement();
                ResultSet row = query.executeQuery("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint")) {
            row.next();
            return (int) row.getLong(1);
        }
    }

    /** What the source says of unsettled rows under the lock. */
    record Unsettled(RowComparison rows, RowComparison.Digests here, Copier whole) {}

    /**
     * Reads unsettled rows of the source, which nobody can change.
     *
     * @param position everything before it is asked for
     * @return null when it took too long to know of all changes
     */
    @Nullable
    Unsettled readSource(Connection source, String position, Duration limit) throws SQLException {
        try {
            if (!changes.await(position, limit) && changes.lost() == null) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Waiting.interrupted();
        }
        RowComparison rows = comparison();
        RowComparison.Digests here = rows.read(source);
        return new Unsettled(rows, here, changes.lost() == null ? copier.only(changes.tablesWithoutKey()) : copier);
    }

    /**
     * Requires that the target has the same.
     *
     * @param hashes whether whole tables are compared by hash, not only by count
     */
    void requireEqual(Unsettled unsettled, Connection source, boolean hashes) {
        run.target().read("compare", (on, dialect) -> {
            String difference = unsettled.rows.difference(unsettled.here, unsettled.rows.read(on));
            if (difference == null && !unsettled.whole.parentsFirst().isEmpty()) {
                difference = unsettled.whole.difference(source, on, hashes);
            }
            if (difference != null) {
                throw Copier.mismatch(run.place(), difference);
            }
            return true;
        });
    }

    @Override
    public void close() {
        changes.close();
    }
}
