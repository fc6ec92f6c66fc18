package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The shapes in which a user's statement is sent to PostgreSQL. The user's text follows without a blank, so that error positions do not
 * shift, and a newline ends it, so that a trailing comment swallows nothing.
 */
enum Form {
    /** The user's text alone. */
    BARE("", "", 0, 0),
    /** First statement of an open transaction, or of one that the driver begins with it. */
    ENTER("select shardmap.enter(?,?,?);", "", 3, 1),
    /** The same in a read-only transaction: a row lock in {@code enter} needs READ WRITE until then. */
    ENTER_READ_ONLY("select shardmap.enter(?,?,?);set transaction read only;", "", 3, 2),
    /** Autocommit: BEGIN keeps the lock over the user's statement wherever the driver puts its Sync. */
    LOCKED("begin;select shardmap.enter(?,?,?);", "\n;commit", 3, 2),
    /** Autocommit and read-only. */
    LOCKED_READ_ONLY("begin read write;select shardmap.enter(?,?,?);set transaction read only;", "\n;commit", 3, 3),
    /** Autocommit read without a lock: the epoch comes first, and the router compares it. */
    CHECKED_READ(
            "select epoch from shardmap.ownership where map_number = ? and virtual_shard = ? and state <> 'CLOSED';",
            "",
            2,
            1);

    private final String prefix;
    private final String suffix;
    private final int parameters;
    private final int leadingResults;

    Form(String prefix, String suffix, int parameters, int leadingResults) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.parameters = parameters;
        this.leadingResults = leadingResults;
    }

    /** Returns the text to prepare; the user's parameters follow {@link #parameters()} of our own. */
    String prepared(String sql) {
        return this == BARE ? sql : prefix + sql + suffix;
    }

    /** Returns the text to execute without parameters. */
    String inlined(String sql, Route route) {
        if (this == BARE) {
            return sql;
        }
        StringBuilder text = new StringBuilder(prefix.length() + sql.length() + 48);
        long[] values = {route.mapNumber(), route.virtualShard(), route.epoch()};
        int value = 0;
        for (int i = 0; i < prefix.length(); i++) {
            char c = prefix.charAt(i);
            if (c == '?') {
                text.append(values[value++]);
            } else {
                text.append(c);
            }
        }
        return text.append(sql).append(suffix).toString();
    }

    /** Returns how many parameters of ours come before the user's. */
    int parameters() {
        return parameters;
    }

    /** Returns how many results of ours come before the user's. */
    int leadingResults() {
        return leadingResults;
    }

    /** Returns whether the transaction has ended when the statement has. */
    boolean endsTransaction() {
        return this == LOCKED || this == LOCKED_READ_ONLY;
    }

    /** Binds our own parameters. */
    void bind(PreparedStatement statement, Route route) throws SQLException {
        if (parameters > 0) {
            statement.setInt(1, route.mapNumber());
            statement.setInt(2, route.virtualShard());
        }
        if (parameters > 2) {
            statement.setLong(3, route.epoch());
        }
    }
}
