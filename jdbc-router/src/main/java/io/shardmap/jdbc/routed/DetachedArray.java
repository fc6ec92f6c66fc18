package io.shardmap.jdbc.routed;

import io.shardmap.jdbc.error.SqlErrors;
import java.sql.Array;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;

/** An array that belongs to no connection yet: it is made where its statement runs, so a statement with arrays can change server. */
final class DetachedArray implements Array {
    private final String typeName;
    private final Object[] elements;

    DetachedArray(String typeName, Object[] elements) {
        this.typeName = typeName;
        this.elements = elements.clone();
    }

    Array on(Connection physical) throws SQLException {
        return physical.createArrayOf(typeName, elements);
    }

    @Override
    public String getBaseTypeName() {
        return typeName;
    }

    @Override
    public int getBaseType() {
        return JDBCType.OTHER.getVendorTypeNumber();
    }

    @Override
    public Object getArray() {
        return elements.clone();
    }

    @Override
    public Object getArray(Map<String, Class<?>> map) {
        return getArray();
    }

    @Override
    public Object getArray(long index, int count) {
        return Arrays.copyOfRange(elements, (int) index - 1, (int) index - 1 + count);
    }

    @Override
    public Object getArray(long index, int count, Map<String, Class<?>> map) {
        return getArray(index, count);
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        throw noResultSet();
    }

    @Override
    public ResultSet getResultSet(Map<String, Class<?>> map) throws SQLException {
        throw noResultSet();
    }

    @Override
    public ResultSet getResultSet(long index, int count) throws SQLException {
        throw noResultSet();
    }

    @Override
    public ResultSet getResultSet(long index, int count, Map<String, Class<?>> map) throws SQLException {
        throw noResultSet();
    }

    @Override
    public void free() {
        // holds nothing
    }

    private static SQLException noResultSet() {
        return SqlErrors.notSupported("an array that was not sent to a server yet has no result set: use getArray()");
    }
}
