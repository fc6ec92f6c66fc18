package io.shardmap.jdbc.fanout;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The k-way merge: the heads of all servers in a heap, the smallest comes next; on a tie, the server that comes first by name. Costs one
 * comparison per row while one server's rows come in a run, and the logarithm of the number of servers otherwise. Each server's rows are
 * also held to the order of the merge, so a wrong idea of the order is an error and not a wrong answer.
 */
final class SortedRows extends FanOutRows {
    private final RowOrder order;
    private final int hiddenColumns;
    private final PriorityQueue<Head> heads;
    private @Nullable Head last;
    private boolean filled;

    /** The current row of one server. */
    private static final class Head {
        private final ServerRead read;
        private final int place;
        private final int columns;
        private final ResultSet rows;
        private final ResultSet visible;
        private @Nullable Object[] values = new Object[0];

        Head(ServerRead read, int place, int columns, int hiddenColumns) {
            this.read = read;
            this.place = place;
            this.columns = columns;
            this.rows = read.rows();
            this.visible = hiddenColumns == 0 ? rows : new VisibleColumns(rows, columns - hiddenColumns);
        }
    }

    SortedRows(FanOutRun run, Runnable release, RowLimit.Bound limit, RowOrder order, int hiddenColumns) {
        super(run, release, limit);
        this.order = order;
        this.hiddenColumns = hiddenColumns;
        this.heads = new PriorityQueue<>(Math.max(1, run.reads().size()), this::compare);
    }

    private int compare(Head a, Head b) {
        int result = order.compare(a.values, b.values);
        return result != 0 ? result : Integer.compare(a.place, b.place);
    }

    @Override
    int visibleColumns(int columns) {
        return columns - hiddenColumns;
    }

    @Override
    boolean advance() throws SQLException {
        if (!filled) {
            filled = true;
            fill();
        }
        Head moved = last;
        last = null;
        if (moved != null && move(moved)) {
            Head other = heads.peek();
            if (other == null || compare(moved, other) <= 0) {
                return standOn(moved);
            }
            heads.add(moved);
        }
        Head first = heads.poll();
        return first != null && standOn(first);
    }

    private boolean standOn(Head head) {
        last = head;
        stand(head.visible);
        return true;
    }

    private void fill() throws SQLException {
        int place = 0;
        for (ServerRead read : run().reads()) {
            if (read.error() == null) {
                Head head = new Head(read, place++, read.rows().getMetaData().getColumnCount(), hiddenColumns);
                if (move(head)) {
                    heads.add(head);
                }
            }
        }
    }

    private boolean move(Head head) throws SQLException {
        try {
            if (head.read.next()) {
                @Nullable Object[] values = order.values(head.rows, head.columns, hiddenColumns);
                if (head.values.length > 0 && order.compare(head.values, values) > 0) {
                    throw FanOutErrors.unsorted(head.read.name(), order.keys().get(0));
                }
                head.values = values;
                return true;
            }
            head.read.release();
        } catch (SQLException error) {
            failed(head.read, error);
        }
        return false;
    }
}
