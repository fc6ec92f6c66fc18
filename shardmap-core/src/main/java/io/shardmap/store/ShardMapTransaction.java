package io.shardmap.store;

import io.shardmap.VirtualShard;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One open transaction on the shard-map database, for changes that must commit together with others (a move records its state and the
 * new placement at once). Belongs to one thread; ends with the body that received it.
 */
public interface ShardMapTransaction {

    /** Work inside a transaction: committed when it returns, rolled back when it throws. */
    @FunctionalInterface
    interface Body<T extends @Nullable Object> {
        /** Does the work. */
        T run(ShardMapTransaction transaction) throws SQLException;
    }

    /** Returns the connection of the transaction; not to be committed, rolled back or closed by the body. */
    Connection connection();

    /** Returns the stored virtual shard, its row locked until the transaction ends. */
    VirtualShard lock(String map, int virtualShard) throws SQLException;

    /** Does what {@link ShardMapStore#place} does, inside this transaction. */
    long place(String map, VirtualShard expected, VirtualShard next) throws SQLException;

    /** Writes a line of the audit log. */
    void audit(String what, @Nullable String before, @Nullable String after) throws SQLException;
}
