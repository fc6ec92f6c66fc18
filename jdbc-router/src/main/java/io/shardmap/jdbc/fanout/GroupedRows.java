package io.shardmap.jdbc.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Groups of all servers, merged. Each server has a group at most once and sends its groups in the order of the merge, so those of one key
 * stand at the heads of all servers at the same time; they stay there while the caller reads the merged row. Memory is that of one batch
 * per server. A server whose groups are not strictly ascending has another idea of order or equality: an error, not a wrong answer.
 */
final class GroupedRows extends FanOutRows {
    private final FanOutPlan.GroupedMerge plan;
    private final RowOrder order;
    private final List<SortType> types;
    private final PriorityQueue<Head> heads;
    private List<Head> group = List.of();
    private boolean filled;

    /** The current row of one server. */
    private static final class Head {
        private final ServerRead read;
        private final int place;
        private @Nullable Object @Nullable [] keys;

        Head(ServerRead read, int place) {
            this.read = read;
            this.place = place;
        }

        @Nullable
        Object[] keys() {
            @Nullable Object[] known = keys;
            if (known == null) {
                throw new IllegalStateException("share must stand on a row: server=" + read.name());
            }
            return known;
        }
    }

    GroupedRows(
            FanOutRun run, Runnable release, RowLimit.Bound limit, FanOutPlan.GroupedMerge plan, List<SortType> types) {
        super(run, release, limit);
        this.plan = plan;
        this.types = types;
        this.order = new RowOrder(plan.keys(), types);
        this.heads = new PriorityQueue<>(Math.max(1, run.reads().size()), this::compare);
    }

    private int compare(Head a, Head b) {
        int result = order.compare(a.keys(), b.keys());
        return result != 0 ? result : Integer.compare(a.place, b.place);
    }

    @Override
    int visibleColumns(int columns) {
        return columns - plan.hiddenColumns();
    }

    @Override
    boolean advance() throws SQLException {
        List<Head> passed = filled ? group : all();
        filled = true;
        group = List.of();
        for (Head head : passed) {
            if (move(head)) {
                heads.add(head);
            }
        }
        Head first = heads.poll();
        if (first == null) {
            return false;
        }
        List<Head> equal = new ArrayList<>();
        equal.add(first);
        Head next = heads.peek();
        while (next != null && order.compare(first.keys(), next.keys()) == 0) {
            equal.add(next);
            heads.remove();
            next = heads.peek();
        }
        group = equal;
        List<ResultSet> rows = new ArrayList<>(equal.size());
        for (Head head : equal) {
            rows.add(visible(head.read.rows()));
        }
        stand(rows.size() == 1 ? rows.get(0) : MergedRow.of(rows, plan, types));
        return true;
    }

    private ResultSet visible(ResultSet rows) {
        return plan.hiddenColumns() == 0
                ? rows
                : new VisibleColumns(rows, plan.columns().size());
    }

    private List<Head> all() {
        List<Head> all = new ArrayList<>();
        for (ServerRead read : run().reads()) {
            if (read.error() == null) {
                all.add(new Head(read, all.size()));
            }
        }
        return all;
    }

    private boolean move(Head head) throws SQLException {
        try {
            if (head.read.next()) {
                int columns = plan.columns().size() + plan.hiddenColumns();
                @Nullable Object[] keys = order.values(head.read.rows(), columns, plan.hiddenColumns());
                @Nullable Object[] before = head.keys;
                if (before != null && order.compare(before, keys) >= 0) {
                    throw FanOutErrors.unsorted(head.read.name(), describeKeys());
                }
                head.keys = keys;
                return true;
            }
            head.read.release();
        } catch (SQLException error) {
            failed(head.read, error);
        }
        return false;
    }

    private String describeKeys() {
        return plan.keys().isEmpty() ? "one row without groups" : plan.keys().toString();
    }
}
