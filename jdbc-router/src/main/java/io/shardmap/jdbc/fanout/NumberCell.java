package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.forwarding.ForwardingResultSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row that is one computed number in each column, read as the driver would read it: a Long, a BigDecimal, or a Double for the NaN and the
 * infinities of a numeric. What is not said here of numbers is refused.
 */
@SuppressWarnings("NullAway") // a getter of an object returns null for NULL, as JDBC has it
final class NumberCell extends ForwardingResultSet {
    private final @Nullable Object value;

    NumberCell(@Nullable Object value) {
        this.value = value;
    }

    @Override
    protected ResultSet delegate() {
        return NoRow.COUNT_ONLY;
    }

    @Override
    public boolean wasNull() {
        return value == null;
    }

    @Override
    public Object getObject(int column) {
        return value;
    }

    @Override
    public String getString(int column) {
        return value instanceof BigDecimal decimal ? decimal.toPlainString() : value == null ? null : value.toString();
    }

    @Override
    public BigDecimal getBigDecimal(int column) throws SQLException {
        return value == null ? null : decimal("BigDecimal");
    }

    @Override
    @Deprecated
    public BigDecimal getBigDecimal(int column, int scale) throws SQLException {
        return value == null ? null : decimal("BigDecimal").setScale(scale, RoundingMode.HALF_EVEN);
    }

    @Override
    public double getDouble(int column) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    @Override
    public float getFloat(int column) {
        return value instanceof Number number ? number.floatValue() : 0;
    }

    @Override
    public long getLong(int column) throws SQLException {
        return integer(Long.MIN_VALUE, Long.MAX_VALUE, "long");
    }

    @Override
    public int getInt(int column) throws SQLException {
        return (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE, "int");
    }

    @Override
    public short getShort(int column) throws SQLException {
        return (short) integer(Short.MIN_VALUE, Short.MAX_VALUE, "short");
    }

    @Override
    public byte getByte(int column) throws SQLException {
        return (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE, "byte");
    }

    @Override
    public <T> T getObject(int column, Class<T> type) throws SQLException {
        Object converted;
        if (value == null || type.isInstance(value)) {
            converted = value;
        } else if (type == Integer.class) {
            converted = getInt(column);
        } else if (type == Long.class) {
            converted = getLong(column);
        } else if (type == Double.class) {
            converted = getDouble(column);
        } else if (type == BigDecimal.class) {
            converted = getBigDecimal(column);
        } else if (type == BigInteger.class) {
            converted = decimal("BigInteger").toBigInteger();
        } else if (type == String.class) {
            converted = getString(column);
        } else {
            throw new SQLDataException("a number cannot be read as this type: type=" + type.getName(), "22023");
        }
        return type.cast(converted);
    }

    /** Cuts the fraction off, as the driver does. */
    private long integer(long least, long most, String type) throws SQLException {
        if (value == null) {
            return 0;
        }
        BigInteger whole = decimal(type).toBigInteger();
        if (whole.compareTo(BigInteger.valueOf(least)) < 0 || whole.compareTo(BigInteger.valueOf(most)) > 0) {
            throw unfit(type);
        }
        return whole.longValue();
    }

    private BigDecimal decimal(String type) throws SQLException {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof Long whole) {
            return BigDecimal.valueOf(whole);
        }
        throw unfit(type);
    }

    private SQLException unfit(String type) {
        return new SQLDataException(
                "number must fit into the type asked for: number=" + value + ", type=" + type, "22003");
    }
}
