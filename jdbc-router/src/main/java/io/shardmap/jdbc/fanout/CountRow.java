package io.shardmap.jdbc.fanout;

import java.math.BigDecimal;
import java.sql.ResultSetMetaData;
import java.sql.SQLDataException;
import java.sql.SQLException;

/** The one row of a count: a BIGINT, whatever the number of servers. */
final class CountRow extends FanOutRows {
    private final long count;
    private final CountMetaData metaData;
    private boolean given;

    CountRow(FanOutRun run, Runnable release, long count, CountMetaData metaData) {
        super(run, release, new RowLimit.Bound(Long.MAX_VALUE, 0));
        this.count = count;
        this.metaData = metaData;
    }

    @Override
    boolean advance() {
        boolean first = !given;
        given = true;
        stand(NoRow.COUNT_ONLY);
        return first;
    }

    @Override
    public ResultSetMetaData getMetaData() {
        return metaData;
    }

    @Override
    public int findColumn(String name) throws SQLException {
        requireRow();
        if (!name.equalsIgnoreCase(metaData.label())) {
            throw new SQLException(
                    "column must be in the result: name=" + name + ", columns=[" + metaData.label() + "]", "42703");
        }
        return 1;
    }

    @Override
    public boolean wasNull() {
        return false;
    }

    @Override
    public long getLong(int column) throws SQLException {
        require(column);
        return count;
    }

    @Override
    public long getLong(String name) throws SQLException {
        return getLong(findColumn(name));
    }

    @Override
    public int getInt(int column) throws SQLException {
        require(column);
        return (int) within(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public int getInt(String name) throws SQLException {
        return getInt(findColumn(name));
    }

    @Override
    public short getShort(int column) throws SQLException {
        require(column);
        return (short) within(Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @Override
    public short getShort(String name) throws SQLException {
        return getShort(findColumn(name));
    }

    @Override
    public byte getByte(int column) throws SQLException {
        require(column);
        return (byte) within(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    @Override
    public byte getByte(String name) throws SQLException {
        return getByte(findColumn(name));
    }

    @Override
    public double getDouble(int column) throws SQLException {
        require(column);
        return count;
    }

    @Override
    public double getDouble(String name) throws SQLException {
        return getDouble(findColumn(name));
    }

    @Override
    public float getFloat(int column) throws SQLException {
        require(column);
        return count;
    }

    @Override
    public float getFloat(String name) throws SQLException {
        return getFloat(findColumn(name));
    }

    @Override
    public BigDecimal getBigDecimal(int column) throws SQLException {
        require(column);
        return BigDecimal.valueOf(count);
    }

    @Override
    public BigDecimal getBigDecimal(String name) throws SQLException {
        return getBigDecimal(findColumn(name));
    }

    @Override
    public String getString(int column) throws SQLException {
        require(column);
        return Long.toString(count);
    }

    @Override
    public String getString(String name) throws SQLException {
        return getString(findColumn(name));
    }

    @Override
    public Object getObject(int column) throws SQLException {
        require(column);
        return count;
    }

    @Override
    public Object getObject(String name) throws SQLException {
        return getObject(findColumn(name));
    }

    @Override
    public <T> T getObject(int column, Class<T> type) throws SQLException {
        Object value;
        if (type == Integer.class) {
            value = getInt(column);
        } else if (type == BigDecimal.class) {
            value = getBigDecimal(column);
        } else if (type == String.class) {
            value = getString(column);
        } else if (type.isAssignableFrom(Long.class)) {
            value = getLong(column);
        } else {
            throw new SQLDataException("a count cannot be read as this type: type=" + type.getName(), "22023");
        }
        return type.cast(value);
    }

    @Override
    public <T> T getObject(String name, Class<T> type) throws SQLException {
        return getObject(findColumn(name), type);
    }

    private void require(int column) throws SQLException {
        requireRow();
        if (column != 1) {
            throw new SQLException("column must be 1: column=" + column, "22023");
        }
    }

    private long within(long least, long most) throws SQLException {
        if (count < least || count > most) {
            throw new SQLDataException("count must fit into the type asked for: count=" + count, "22003");
        }
        return count;
    }
}
