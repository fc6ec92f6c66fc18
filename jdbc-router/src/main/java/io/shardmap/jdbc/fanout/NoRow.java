package io.shardmap.jdbc.fanout;

import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Stands where a row would: every getter says why there is none. */
final class NoRow {
    static final ResultSet BEFORE_FIRST = saying("row must be current: call next() first", "24000");
    static final ResultSet AFTER_LAST = saying("row must be current: the rows have ended", "24000");
    static final ResultSet CLOSED = saying("result must be open: it was closed", "24000");
    static final ResultSet COUNT_ONLY = saying("a count is read as a number, a string or an object", "0A000");

    private NoRow() {}

    private static ResultSet saying(String message, String sqlState) {
        return (ResultSet) Proxy.newProxyInstance(
                NoRow.class.getClassLoader(), new Class<?>[] {ResultSet.class}, (proxy, method, arguments) -> {
                    throw new SQLException(message + "; method=" + method.getName(), sqlState);
                });
    }
}
