package io.shardmap.jdbc.routed;

import java.sql.ResultSet;

/**
 * What a statement was created for.
 *
 * @param type a {@link ResultSet} type constant
 * @param concurrency a {@link ResultSet} concurrency constant
 * @param holdability a {@link ResultSet} holdability constant
 */
record ResultShape(int type, int concurrency, int holdability) {
    static final ResultShape DEFAULT = of(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);

    static ResultShape of(int type, int concurrency) {
        return new ResultShape(type, concurrency, ResultSet.HOLD_CURSORS_OVER_COMMIT);
    }

    boolean updatable() {
        return concurrency == ResultSet.CONCUR_UPDATABLE;
    }
}
