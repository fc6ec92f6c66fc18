package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The sequences that columns of the tables take their values from, on both servers of a move. Immutable. */
final class SequencePairs {
    private final List<ColumnSequence> onSource = new ArrayList<>();
    private final List<ColumnSequence> onTarget = new ArrayList<>();

    private SequencePairs() {}

    /**
     * Looks for them.
     *
     * @throws ShardMapException with {@link ErrorCode#STEP_FAILED} when the target has none for a column, or one that cannot follow
     */
    static SequencePairs of(Connection source, Connection target, List<TableShape> tables) throws SQLException {
        SequencePairs pairs = new SequencePairs();
        for (TableShape table : tables) {
            Map<String, ColumnSequence> here = RowStore.of(source).sequences(source, table);
            Map<String, ColumnSequence> there =
                    here.isEmpty() ? Map.of() : RowStore.of(target).sequences(target, table);
            for (Map.Entry<String, ColumnSequence> column : here.entrySet()) {
                ColumnSequence sequence = there.get(column.getKey());
                String fault = sequence == null
                        ? "column must take its values from a sequence on both servers"
                        : sequence.fault(column.getValue());
                if (sequence == null || fault != null) {
                    throw new ShardMapException(
                            ErrorCode.STEP_FAILED,
                            fault + ": table=" + table.fullName() + ", column=" + column.getKey()
                                    + "; then resume the move");
                }
                pairs.onSource.add(column.getValue());
                pairs.onTarget.add(sequence);
            }
        }
        return pairs;
    }

    /** Returns the source's as they are now. */
    List<ColumnSequence> readSource(Connection source) throws SQLException {
        return ColumnSequence.now(source, onSource);
    }

    /** Returns the target's as they are now. */
    List<ColumnSequence> readTarget(Connection target) throws SQLException {
        return ColumnSequence.now(target, onTarget);
    }

    /** Advances the target's so that none gives a value which the source's has given; never lowers one. */
    void advance(Connection target, List<ColumnSequence> source, List<ColumnSequence> here) throws SQLException {
        for (int i = 0; i < here.size(); i++) {
            OptionalLong value = here.get(i).beyond(source.get(i));
            if (value.isPresent()) {
                try (PreparedStatement set = target.prepareStatement("select setval(?::regclass, ?)")) {
                    set.setString(1, here.get(i).name());
                    set.setLong(2, value.getAsLong());
                    set.execute();
                }
            }
        }
    }

    /** Returns whether {@link #advance} has something to do. */
    static boolean mustAdvance(List<ColumnSequence> source, List<ColumnSequence> target) {
        for (int i = 0; i < target.size(); i++) {
            if (target.get(i).beyond(source.get(i)).isPresent()) {
                return true;
            }
        }
        return false;
    }
}
