package io.shardmap.jdbc.fanout;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Metadata of a count.
 *
 * @param label label of its one column, as the database gives it
 * @param product product of the servers
 */
record CountMetaData(String label, SqlProduct product) implements ResultSetMetaData {
    @Override
    public int getColumnCount() {
        return 1;
    }

    @Override
    public String getColumnLabel(int column) {
        return label;
    }

    @Override
    public String getColumnName(int column) {
        return label;
    }

    @Override
    public int getColumnType(int column) {
        return Types.BIGINT;
    }

    @Override
    public String getColumnTypeName(int column) {
        return product == SqlProduct.H2 ? "BIGINT" : "int8";
    }

    @Override
    public String getColumnClassName(int column) {
        return "java.lang.Long";
    }

    @Override
    public int getPrecision(int column) {
        return product == SqlProduct.H2 ? 64 : 19;
    }

    @Override
    public int getScale(int column) {
        return 0;
    }

    @Override
    public int getColumnDisplaySize(int column) {
        return 20;
    }

    @Override
    public String getSchemaName(int column) {
        return "";
    }

    @Override
    public String getTableName(int column) {
        return "";
    }

    @Override
    public String getCatalogName(int column) {
        return "";
    }

    @Override
    public boolean isSigned(int column) {
        return true;
    }

    @Override
    public boolean isAutoIncrement(int column) {
        return false;
    }

    @Override
    public boolean isCaseSensitive(int column) {
        return false;
    }

    @Override
    public boolean isSearchable(int column) {
        return true;
    }

    @Override
    public boolean isCurrency(int column) {
        return false;
    }

    @Override
    public int isNullable(int column) {
        return columnNullableUnknown;
    }

    @Override
    public boolean isReadOnly(int column) {
        return true;
    }

    @Override
    public boolean isWritable(int column) {
        return false;
    }

    @Override
    public boolean isDefinitelyWritable(int column) {
        return false;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("metadata of a fan-out wraps nothing: type=" + type.getName(), "0A000");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
