package io.shardmap.jdbc.fanout.datasource;

import io.shardmap.jdbc.error.SqlErrors;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a prepared statement over all servers can do, as methods of {@link PreparedStatement}; {@link Facade} refuses the others. */
@SuppressWarnings("unused") // called by name
final class FanOutPreparedStatement extends FanOutStatement {
    private static final Set<Integer> TEXT =
            Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR);

    private final String sql;
    private final SortedMap<Integer, @Nullable Object> parameters = new TreeMap<>();

    FanOutPreparedStatement(FanOutConnection connection, String sql) {
        super(connection);
        this.sql = sql;
    }

    public ResultSet executeQuery() throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        for (int index : parameters.keySet()) {
            if (index != values.size() + 1) {
                throw new SQLException("parameter must have a value: index=" + (values.size() + 1), "07001");
            }
            values.add(parameters.get(index));
        }
        return run(sql, values);
    }

    public boolean execute() throws SQLException {
        executeQuery();
        return true;
    }

    public int executeUpdate() throws SQLException {
        return executeUpdate(sql);
    }

    public long executeLargeUpdate() throws SQLException {
        return executeLargeUpdate(sql);
    }

    public void addBatch() throws SQLException {
        addBatch(sql);
    }

    @Override
    public ResultSet executeQuery(String other) throws SQLException {
        throw new SQLException(
                "prepared statement must run its own query: call executeQuery() without a text", "42601");
    }

    /** Returns the metadata of the result, null before there is one. */
    public @Nullable ResultSetMetaData getMetaData() throws SQLException {
        ResultSet rows = getResultSet();
        return rows == null ? null : rows.getMetaData();
    }

    public void clearParameters() {
        parameters.clear();
    }

    public void setObject(int index, @Nullable Object value) throws SQLException {
        requireOpen();
        if (index < 1) {
            throw new SQLException("index of a parameter must be >= 1: index=" + index, "22023");
        }
        parameters.put(index, value);
    }

    /** The servers' driver chooses the type by the class of the value, so a value that would have to be converted is refused. */
    public void setObject(int index, @Nullable Object value, int type) throws SQLException {
        boolean known = type != Types.OTHER && type != Types.NULL && type != Types.JAVA_OBJECT;
        if (value != null && known && (value instanceof String) != TEXT.contains(type)) {
            throw SqlErrors.notSupported("value must be of the parameter's type: index=" + index + ", value="
                    + value.getClass().getName() + ", type=" + type + "; convert it first");
        }
        setObject(index, value);
    }

    public void setObject(int index, @Nullable Object value, int type, int scaleOrLength) throws SQLException {
        setObject(index, value, type);
    }

    public void setObject(int index, @Nullable Object value, SQLType type) throws SQLException {
        if (type instanceof JDBCType standard) {
            setObject(index, value, (int) standard.getVendorTypeNumber());
        } else {
            setObject(index, value);
        }
    }

    public void setNull(int index, int type) throws SQLException {
        setObject(index, null);
    }

    public void setNull(int index, int type, String typeName) throws SQLException {
        setObject(index, null);
    }

    public void setString(int index, @Nullable String value) throws SQLException {
        setObject(index, value);
    }

    public void setNString(int index, @Nullable String value) throws SQLException {
        setObject(index, value);
    }

    public void setBoolean(int index, boolean value) throws SQLException {
        setObject(index, value);
    }

    public void setByte(int index, byte value) throws SQLException {
        setObject(index, (short) value);
    }

    public void setShort(int index, short value) throws SQLException {
        setObject(index, value);
    }

    public void setInt(int index, int value) throws SQLException {
        setObject(index, value);
    }

    public void setLong(int index, long value) throws SQLException {
        setObject(index, value);
    }

    public void setFloat(int index, float value) throws SQLException {
        setObject(index, value);
    }

    public void setDouble(int index, double value) throws SQLException {
        setObject(index, value);
    }

    public void setBigDecimal(int index, @Nullable BigDecimal value) throws SQLException {
        setObject(index, value);
    }

    public void setBytes(int index, byte @Nullable [] value) throws SQLException {
        setObject(index, value);
    }

    public void setDate(int index, @Nullable Date value) throws SQLException {
        setObject(index, value);
    }

    public void setTime(int index, @Nullable Time value) throws SQLException {
        setObject(index, value);
    }

    public void setTimestamp(int index, @Nullable Timestamp value) throws SQLException {
        setObject(index, value);
    }

    public void setArray(int index, @Nullable Array value) throws SQLException {
        setObject(index, value == null ? null : value.getArray());
    }
}
