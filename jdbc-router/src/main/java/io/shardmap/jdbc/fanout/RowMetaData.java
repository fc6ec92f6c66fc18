package io.shardmap.jdbc.fanout;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Metadata as one server gave it, without hidden columns. A copy, because the driver's own may ask the server when its connection has
 * long gone back to the pool.
 */
final class RowMetaData implements ResultSetMetaData {
    private record Column(
            String label,
            String name,
            int type,
            String typeName,
            String className,
            int precision,
            int scale,
            int displaySize,
            String schema,
            String table,
            String catalog,
            boolean signed,
            boolean autoIncrement,
            boolean caseSensitive,
            boolean searchable,
            boolean currency,
            int nullable) {
        Column inSchema(String other) {
            return new Column(
                    label,
                    name,
                    type,
                    typeName,
                    className,
                    precision,
                    scale,
                    displaySize,
                    other,
                    table,
                    catalog,
                    signed,
                    autoIncrement,
                    caseSensitive,
                    searchable,
                    currency,
                    nullable);
        }
    }

    private final List<Column> columns;

    private RowMetaData(List<Column> columns) {
        this.columns = columns;
    }

    static RowMetaData copyOf(ResultSetMetaData from, int visibleColumns) throws SQLException {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= visibleColumns; i++) {
            columns.add(new Column(
                    from.getColumnLabel(i),
                    from.getColumnName(i),
                    from.getColumnType(i),
                    from.getColumnTypeName(i),
                    from.getColumnClassName(i),
                    from.getPrecision(i),
                    from.getScale(i),
                    from.getColumnDisplaySize(i),
                    from.getSchemaName(i),
                    from.getTableName(i),
                    from.getCatalogName(i),
                    from.isSigned(i),
                    from.isAutoIncrement(i),
                    from.isCaseSensitive(i),
                    from.isSearchable(i),
                    from.isCurrency(i),
                    from.isNullable(i)));
        }
        return new RowMetaData(columns);
    }

    /** Returns the same, with the columns of tables in the schemas given for their names. */
    RowMetaData withSchemas(Map<String, String> schemas) {
        return new RowMetaData(columns.stream()
                .map(column -> column.inSchema(schemas.getOrDefault(column.table(), column.schema())))
                .toList());
    }

    private Column column(int column) throws SQLException {
        if (column < 1 || column > columns.size()) {
            throw new SQLException("column must be 1 to " + columns.size() + ": column=" + column, "22023");
        }
        return columns.get(column - 1);
    }

    @Override
    public int getColumnCount() {
        return columns.size();
    }

    @Override
    public String getColumnLabel(int column) throws SQLException {
        return column(column).label();
    }

    @Override
    public String getColumnName(int column) throws SQLException {
        return column(column).name();
    }

    @Override
    public int getColumnType(int column) throws SQLException {
        return column(column).type();
    }

    @Override
    public String getColumnTypeName(int column) throws SQLException {
        return column(column).typeName();
    }

    @Override
    public String getColumnClassName(int column) throws SQLException {
        return column(column).className();
    }

    @Override
    public int getPrecision(int column) throws SQLException {
        return column(column).precision();
    }

    @Override
    public int getScale(int column) throws SQLException {
        return column(column).scale();
    }

    @Override
    public int getColumnDisplaySize(int column) throws SQLException {
        return column(column).displaySize();
    }

    @Override
    public String getSchemaName(int column) throws SQLException {
        return column(column).schema();
    }

    @Override
    public String getTableName(int column) throws SQLException {
        return column(column).table();
    }

    @Override
    public String getCatalogName(int column) throws SQLException {
        return column(column).catalog();
    }

    @Override
    public boolean isSigned(int column) throws SQLException {
        return column(column).signed();
    }

    @Override
    public boolean isAutoIncrement(int column) throws SQLException {
        return column(column).autoIncrement();
    }

    @Override
    public boolean isCaseSensitive(int column) throws SQLException {
        return column(column).caseSensitive();
    }

    @Override
    public boolean isSearchable(int column) throws SQLException {
        return column(column).searchable();
    }

    @Override
    public boolean isCurrency(int column) throws SQLException {
        return column(column).currency();
    }

    @Override
    public int isNullable(int column) throws SQLException {
        return column(column).nullable();
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
