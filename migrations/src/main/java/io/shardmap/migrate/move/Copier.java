package io.shardmap.migrate.move;

import io.shardmap.ConcurrentChangeException;
import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the target equal to the frozen source, and removes rows from a server that does not own them. */
final class Copier {
    /** Tells about a committed batch: table, rows and bytes of it so far. */
    @FunctionalInterface
    interface Progress {
        void batch(String table, long rows, long bytes);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Copier.class);

    private final Place place;
    private final List<TableShape> parentsFirst;
    private final int batchRows;

    Copier(Place place, List<TableShape> parentsFirst, int batchRows) {
        this.place = place;
        this.parentsFirst = List.copyOf(parentsFirst);
        this.batchRows = batchRows;
    }

    /** Returns one that knows only the tables of these full names. */
    Copier only(Set<String> fullNames) {
        return new Copier(
                place,
                parentsFirst.stream()
                        .filter(table -> fullNames.contains(table.fullName()))
                        .toList(),
                batchRows);
    }

    /** Copies all rows in batches, each a transaction of the target; stops early when {@code stop} says so. */
    void copy(MoverSession source, MoverSession target, BooleanSupplier stop, Progress progress) {
        for (TableShape table : parentsFirst) {
            source.read("read " + table.fullName(), (from, dialect) -> {
                try (RowStore.RowStream rows = RowStore.of(from).open(from, table, place.virtualShard())) {
                    copy(table, rows, target, stop, progress);
                }
                return true;
            });
        }
    }

    private void copy(
            TableShape table, RowStore.RowStream rows, MoverSession target, BooleanSupplier stop, Progress progress) {
        long total = 0;
        int limit = table.referencesItself() ? Integer.MAX_VALUE : batchRows;
        while (!stop.getAsBoolean()) {
            int copied = target.run("copy " + table.fullName(), (to, dialect) -> {
                requireNotOwner(dialect, to, target);
                return rows.copy(to, limit);
            });
            total += copied;
            if (copied > 0) {
                progress.batch(table.table().qualifiedName(), total, rows.bytes());
            }
            if (copied < limit) {
                return;
            }
        }
    }

    /** Advances the target's sequences above the source's, and returns them all. */
    SequencePairs advanceSequences(MoverSession source, MoverSession target) {
        return source.read(
                "read sequences",
                (from, reading) -> target.run("advance sequences", (to, dialect) -> {
                    SequencePairs pairs = SequencePairs.of(from, to, parentsFirst);
                    pairs.advance(to, pairs.readSource(from), pairs.readTarget(to));
                    return pairs;
                }));
    }

    /** Returns whether a server has rows of the virtual shard. */
    boolean hasRows(MoverSession server) {
        return server.read("look for rows", (on, dialect) -> {
            for (TableShape table : parentsFirst) {
                if (RowStore.of(on).any(on, table, place.virtualShard())) {
                    return true;
                }
            }
            return false;
        });
    }

    /** Compares all tables by count and hash; null when they are equal, else what differs. */
    @Nullable
    String difference(MoverSession source, MoverSession target) {
        return difference(digests(source), digests(target));
    }

    /**
     * Compares all tables in the transactions of two connections, both sides at the same time.
     *
     * @param hashes whether to compare hashes too, not only counts
     */
    @Nullable
    String difference(Connection source, Connection target, boolean hashes) throws SQLException {
        Together<List<RowStore.Digest>, List<RowStore.Digest>> both =
                Together.run(() -> digests(source, hashes), () -> digests(target, hashes));
        return difference(both.here(), both.there());
    }

    private @Nullable String difference(List<RowStore.Digest> here, List<RowStore.Digest> there) {
        for (int i = 0; i < parentsFirst.size(); i++) {
            if (!here.get(i).equals(there.get(i))) {
                return "table=" + parentsFirst.get(i).table().qualifiedName() + ", source=" + here.get(i) + ", target="
                        + there.get(i);
            }
        }
        return null;
    }

    private List<RowStore.Digest> digests(MoverSession server) {
        return server.read("compare", (on, dialect) -> {
            return digests(on, true);
        });
    }

    private List<RowStore.Digest> digests(Connection on, boolean hashes) throws SQLException {
        RowStore store = RowStore.of(on);
        List<RowStore.Digest> digests = new ArrayList<>();
        for (TableShape table : parentsFirst) {
            digests.add(
                    hashes
                            ? store.digest(on, table, place.virtualShard())
                            : store.count(on, table, place.virtualShard()));
        }
        return digests;
    }

    /** What becomes of partitions that have only rows which are to be removed. */
    enum Partitions {
        KEEP,
        /** Those that a move made are dropped. */
        DROP_MADE,
        DROP
    }

    /** Removes all rows, children first, each transaction only while the server does not own the virtual shard. */
    void clear(MoverSession server, Partitions partitions, Progress progress) {
        for (int i = parentsFirst.size() - 1; i >= 0; i--) {
            TableShape table = parentsFirst.get(i);
            if (partitions != Partitions.KEEP) {
                dropPartition(server, table, partitions == Partitions.DROP_MADE);
            }
            int limit = table.referencesItself() ? Integer.MAX_VALUE : batchRows;
            long total = 0;
            int deleted;
            do {
                deleted = server.runPatiently("delete from " + table.fullName(), (on, dialect) -> {
                    requireNotOwner(dialect, on, server);
                    return RowStore.of(on).delete(on, table, place.virtualShard(), limit);
                });
                total += deleted;
                if (deleted > 0) {
                    progress.batch(table.table().qualifiedName(), total, 0);
                }
                // Rows of different partitions may be at the same place, so that a batch deletes more than it looked
                // for.
            } while (deleted >= limit);
        }
    }

    /** A partition that cannot be dropped, because somebody uses it all the time or depends on it, is emptied like any other table. */
    private void dropPartition(MoverSession server, TableShape table, boolean onlyMade) {
        try {
            server.runPatiently("drop the partition of " + table.fullName(), (on, dialect) -> {
                requireNotOwner(dialect, on, server);
                Optional<OwnPartition> partition = RowStore.of(on)
                        .ownPartition(on, table.table(), place.virtualShard())
                        .filter(own -> own.made() || !onlyMade);
                if (partition.isPresent()) {
                    partition.get().drop(on);
                }
                return partition.isPresent();
            });
        } catch (ShardMapException refused) {
            if (refused.code() != ErrorCode.STEP_FAILED) {
                throw refused;
            }
            LOG.warn(
                    "partition of a virtual shard that left cannot be dropped, its rows are deleted: server={}, virtualShard={}",
                    server.server(),
                    place,
                    refused);
        }
    }

    List<TableShape> parentsFirst() {
        return parentsFirst;
    }

    /** Rows may be changed by a mover only while the server does not own them, and does not become their owner. */
    void requireNotOwner(MoverDialect dialect, Connection on, MoverSession server) throws SQLException {
        Ownership found = dialect.holdOwnership(on, place);
        if (!found.isClosed()) {
            throw new ConcurrentChangeException("mover may change rows only where the virtual shard is closed: server="
                    + server.server() + ", virtualShard=" + place + ", found=" + found
                    + "; run `shardmap doctor`");
        }
    }

    /** Says that the copies are not what the source has. */
    static ShardMapException mismatch(Place place, String difference) {
        return new ShardMapException(
                ErrorCode.VERIFICATION,
                "target must be equal to the source: virtualShard=" + place + ", " + difference
                        + "; nothing is lost, the source serves as before: look for what changes rows on the target");
    }
}
