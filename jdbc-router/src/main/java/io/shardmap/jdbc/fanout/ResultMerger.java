package io.shardmap.jdbc.fanout;

import java.sql.SQLException;
import java.util.List;

/** Makes one result of the servers' results, as the plan says. */
final class ResultMerger {
    private ResultMerger() {}

    static FanOutRows merge(FanOutRun run, ShareQuery query, Runnable release) throws SQLException {
        FanOutPlan.Ready plan = query.plan();
        if (run.reads().isEmpty()) {
            return new ConcatenatedRows(run, release, query.limit()); // an empty list of keys: nobody was asked
        }
        if (plan instanceof FanOutPlan.CountSum) {
            return count(run, query, release);
        }
        if (plan instanceof FanOutPlan.SortedMerge merge) {
            return new SortedRows(
                    run, release, query.limit(), new RowOrder(merge.keys(), types(run)), merge.hiddenColumns());
        }
        if (plan instanceof FanOutPlan.GroupedMerge merge) {
            return new GroupedRows(run, release, query.limit(), merge, types(run));
        }
        return new ConcatenatedRows(run, release, query.limit());
    }

    private static List<SortType> types(FanOutRun run) {
        return run.reads().stream()
                .filter(read -> read.error() == null)
                .findFirst()
                .map(ServerRead::sortTypes)
                .orElse(List.of());
    }

    private static CountRow count(FanOutRun run, ShareQuery query, Runnable release) throws SQLException {
        long sum = 0;
        String label = "";
        for (ServerRead read : run.reads()) {
            if (read.error() == null) {
                sum = Math.addExact(sum, read.count());
                label = read.countLabel();
            }
        }
        release.run();
        return new CountRow(run, release, sum, new CountMetaData(label, query.product()));
    }
}
