package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** What the target must be before the first row is copied. Repeating it completes what a crash left. */
final class TargetPreparation {
    private static final LockScope[] MAP = {LockScope.MAP};

    private final Run run;

    private TargetPreparation(Run run) {
        this.run = run;
    }

    /** Goes to COPYING: fan-outs on the target leave out the copies, and the virtual shard's own partitions are there. */
    static void prepare(Run run) {
        run.enter(MoveState.COPYING);
        run.reached(CrashPoint.BEFORE_PREPARE);
        TargetPreparation preparation = new TargetPreparation(run);
        preparation.announceCopies();
        run.map().tables().forEach(preparation::makePartition);
        run.reached(CrashPoint.AFTER_PREPARE);
    }

    /** The lock lets fan-outs that do not know finish first. */
    private void announceCopies() {
        run.target().runExclusively("prepare", MAP, (on, dialect) -> {
            Ownership found = dialect.ownership(on, run.place());
            if (!found.isClosed()) {
                throw CutOver.contradiction(run, "target=" + found);
            }
            return CutOver.written(dialect.write(on, run.place(), Ownership.State.CLOSED, found.epoch(), true));
        });
    }

    private void makePartition(ShardedTable table) {
        Optional<OwnPartition> own = run.source().read("look for a partition", (on, dialect) -> own(on, table));
        own.ifPresent(here -> run.target().runPatiently("make the partition " + here.fullName(), (on, dialect) -> {
            boolean missing = here.canBeMade(on);
            if (missing) {
                here.make(on);
            }
            return missing;
        }));
    }

    private Optional<OwnPartition> own(Connection on, ShardedTable table) throws SQLException {
        return RowStore.of(on).ownPartition(on, table, run.place().virtualShard());
    }
}
