package io.shardmap.bench;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a connection on which the book of a number can be used. */
@FunctionalInterface
interface ByKey {
    Connection open(int id) throws SQLException;
}
