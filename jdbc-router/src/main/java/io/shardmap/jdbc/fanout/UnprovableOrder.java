package io.shardmap.jdbc.fanout;

import java.sql.SQLFeatureNotSupportedException;

/** A server says that a type's order, equality or sum is not known to be Java's: the plan's merge is off. */
final class UnprovableOrder extends SQLFeatureNotSupportedException {
    private static final long serialVersionUID = 1L;

    UnprovableOrder(String message) {
        super(message, "0A000");
    }
}
