package io.shardmap.jdbc.routed;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Which generated keys the caller asked for; exactly one of the parts is set, or none.
 *
 * @param flag {@link Statement#RETURN_GENERATED_KEYS} or {@link Statement#NO_GENERATED_KEYS}
 * @param indexes column indexes, or null
 * @param names column names, or null
 */
@SuppressWarnings("ArrayRecordComponent") // handed to the driver as they came
record KeyRequest(int flag, int @Nullable [] indexes, String @Nullable [] names) {
    static final KeyRequest NONE = new KeyRequest(Statement.NO_GENERATED_KEYS, null, null);

    static KeyRequest of(int flag) {
        return new KeyRequest(flag, null, null);
    }

    static KeyRequest of(int[] indexes) {
        return new KeyRequest(Statement.NO_GENERATED_KEYS, indexes, null);
    }

    static KeyRequest of(String[] names) {
        return new KeyRequest(Statement.NO_GENERATED_KEYS, null, names);
    }

    boolean asked() {
        return flag == Statement.RETURN_GENERATED_KEYS || indexes != null || names != null;
    }

    PreparedStatement prepare(Connection on, String sql) throws SQLException {
        if (indexes != null) {
            return on.prepareStatement(sql, indexes);
        }
        return names != null ? on.prepareStatement(sql, names) : on.prepareStatement(sql, flag);
    }

    boolean execute(Statement on, String sql) throws SQLException {
        if (indexes != null) {
            return on.execute(sql, indexes);
        }
        return names != null ? on.execute(sql, names) : on.execute(sql, flag);
    }
}
