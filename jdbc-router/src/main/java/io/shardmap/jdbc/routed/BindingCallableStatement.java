package io.shardmap.jdbc.routed;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/** Remembers named and output parameters of a call; results come from the statement that ran. */
@NullUnmarked
@SuppressWarnings("deprecation")
abstract class BindingCallableStatement extends RoutedPreparedStatement implements CallableStatement {

    BindingCallableStatement(RoutedConnection connection, ResultShape shape, String sql) {
        super(connection, shape, sql, KeyRequest.NONE);
    }

    /** Returns the statement that ran last. */
    abstract CallableStatement callable() throws SQLException;

    /** Remembers a parameter given by name. */
    abstract void bindNamed(String name, String setter, NamedBinding binding);

    /** Remembers a parameter given by name that can be read only once. */
    abstract void bindNamedOnce(String name, String setter, NamedBinding binding);

    /** Sets one parameter by its name. */
    interface NamedBinding {
        void apply(CallableStatement statement) throws SQLException;
    }

    @Override
    public Array getArray(String name) throws SQLException {
        return callable().getArray(name);
    }

    @Override
    public Array getArray(int index) throws SQLException {
        return callable().getArray(index);
    }

    @Override
    public BigDecimal getBigDecimal(String name) throws SQLException {
        return callable().getBigDecimal(name);
    }

    @Deprecated
    @Override
    public BigDecimal getBigDecimal(int index, int scale) throws SQLException {
        BigDecimal value = getBigDecimal(index);
        return value == null ? null : value.setScale(scale, RoundingMode.HALF_UP);
    }

    @Override
    public BigDecimal getBigDecimal(int index) throws SQLException {
        return callable().getBigDecimal(index);
    }

    @Override
    public Blob getBlob(String name) throws SQLException {
        return callable().getBlob(name);
    }

    @Override
    public Blob getBlob(int index) throws SQLException {
        return callable().getBlob(index);
    }

    @Override
    public boolean getBoolean(String name) throws SQLException {
        return callable().getBoolean(name);
    }

    @Override
    public boolean getBoolean(int index) throws SQLException {
        return callable().getBoolean(index);
    }

    @Override
    public byte getByte(String name) throws SQLException {
        return callable().getByte(name);
    }

    @Override
    public byte getByte(int index) throws SQLException {
        return callable().getByte(index);
    }

    @Override
    public byte[] getBytes(String name) throws SQLException {
        return callable().getBytes(name);
    }

    @Override
    public byte[] getBytes(int index) throws SQLException {
        return callable().getBytes(index);
    }

    @Override
    public Reader getCharacterStream(String name) throws SQLException {
        return callable().getCharacterStream(name);
    }

    @Override
    public Reader getCharacterStream(int index) throws SQLException {
        return callable().getCharacterStream(index);
    }

    @Override
    public Clob getClob(String name) throws SQLException {
        return callable().getClob(name);
    }

    @Override
    public Clob getClob(int index) throws SQLException {
        return callable().getClob(index);
    }

    @Override
    public Date getDate(String name, Calendar calendar) throws SQLException {
        return callable().getDate(name, calendar);
    }

    @Override
    public Date getDate(String name) throws SQLException {
        return callable().getDate(name);
    }

    @Override
    public Date getDate(int index, Calendar calendar) throws SQLException {
        return callable().getDate(index, calendar);
    }

    @Override
    public Date getDate(int index) throws SQLException {
        return callable().getDate(index);
    }

    @Override
    public double getDouble(String name) throws SQLException {
        return callable().getDouble(name);
    }

    @Override
    public double getDouble(int index) throws SQLException {
        return callable().getDouble(index);
    }

    @Override
    public float getFloat(String name) throws SQLException {
        return callable().getFloat(name);
    }

    @Override
    public float getFloat(int index) throws SQLException {
        return callable().getFloat(index);
    }

    @Override
    public int getInt(String name) throws SQLException {
        return callable().getInt(name);
    }

    @Override
    public int getInt(int index) throws SQLException {
        return callable().getInt(index);
    }

    @Override
    public long getLong(String name) throws SQLException {
        return callable().getLong(name);
    }

    @Override
    public long getLong(int index) throws SQLException {
        return callable().getLong(index);
    }

    @Override
    public Reader getNCharacterStream(String name) throws SQLException {
        return callable().getNCharacterStream(name);
    }

    @Override
    public Reader getNCharacterStream(int index) throws SQLException {
        return callable().getNCharacterStream(index);
    }

    @Override
    public NClob getNClob(String name) throws SQLException {
        return callable().getNClob(name);
    }

    @Override
    public NClob getNClob(int index) throws SQLException {
        return callable().getNClob(index);
    }

    @Override
    public String getNString(String name) throws SQLException {
        return callable().getNString(name);
    }

    @Override
    public String getNString(int index) throws SQLException {
        return callable().getNString(index);
    }

    @Override
    public <T> T getObject(String name, Class<T> type) throws SQLException {
        return callable().getObject(name, type);
    }

    @Override
    public Object getObject(String name, Map<String, Class<?>> map) throws SQLException {
        return callable().getObject(name, map);
    }

    @Override
    public Object getObject(String name) throws SQLException {
        return callable().getObject(name);
    }

    @Override
    public <T> T getObject(int index, Class<T> type) throws SQLException {
        return callable().getObject(index, type);
    }

    @Override
    public Object getObject(int index, Map<String, Class<?>> map) throws SQLException {
        return callable().getObject(index, map);
    }

    @Override
    public Object getObject(int index) throws SQLException {
        return callable().getObject(index);
    }

    @Override
    public Ref getRef(String name) throws SQLException {
        return callable().getRef(name);
    }

    @Override
    public Ref getRef(int index) throws SQLException {
        return callable().getRef(index);
    }

    @Override
    public RowId getRowId(String name) throws SQLException {
        return callable().getRowId(name);
    }

    @Override
    public RowId getRowId(int index) throws SQLException {
        return callable().getRowId(index);
    }

    @Override
    public SQLXML getSQLXML(String name) throws SQLException {
        return callable().getSQLXML(name);
    }

    @Override
    public SQLXML getSQLXML(int index) throws SQLException {
        return callable().getSQLXML(index);
    }

    @Override
    public short getShort(String name) throws SQLException {
        return callable().getShort(name);
    }

    @Override
    public short getShort(int index) throws SQLException {
        return callable().getShort(index);
    }

    @Override
    public String getString(String name) throws SQLException {
        return callable().getString(name);
    }

    @Override
    public String getString(int index) throws SQLException {
        return callable().getString(index);
    }

    @Override
    public Time getTime(String name, Calendar calendar) throws SQLException {
        return callable().getTime(name, calendar);
    }

    @Override
    public Time getTime(String name) throws SQLException {
        return callable().getTime(name);
    }

    @Override
    public Time getTime(int index, Calendar calendar) throws SQLException {
        return callable().getTime(index, calendar);
    }

    @Override
    public Time getTime(int index) throws SQLException {
        return callable().getTime(index);
    }

    @Override
    public Timestamp getTimestamp(String name, Calendar calendar) throws SQLException {
        return callable().getTimestamp(name, calendar);
    }

    @Override
    public Timestamp getTimestamp(String name) throws SQLException {
        return callable().getTimestamp(name);
    }

    @Override
    public Timestamp getTimestamp(int index, Calendar calendar) throws SQLException {
        return callable().getTimestamp(index, calendar);
    }

    @Override
    public Timestamp getTimestamp(int index) throws SQLException {
        return callable().getTimestamp(index);
    }

    @Override
    public URL getURL(String name) throws SQLException {
        return callable().getURL(name);
    }

    @Override
    public URL getURL(int index) throws SQLException {
        return callable().getURL(index);
    }

    @Override
    public void registerOutParameter(String name, int sqlType, String typeName) throws SQLException {
        bindNamed(name, "registerOutParameter", statement -> statement.registerOutParameter(name, sqlType, typeName));
    }

    @Override
    public void registerOutParameter(String name, int sqlType, int detail) throws SQLException {
        bindNamed(name, "registerOutParameter", statement -> statement.registerOutParameter(name, sqlType, detail));
    }

    @Override
    public void registerOutParameter(String name, int sqlType) throws SQLException {
        bindNamed(name, "registerOutParameter", statement -> statement.registerOutParameter(name, sqlType));
    }

    @Override
    public void registerOutParameter(String name, SQLType value, String typeName) throws SQLException {
        bindNamed(name, "registerOutParameter", statement -> statement.registerOutParameter(name, value, typeName));
    }

    @Override
    public void registerOutParameter(String name, SQLType value, int detail) throws SQLException {
        bindNamed(name, "registerOutParameter", statement -> statement.registerOutParameter(name, value, detail));
    }

    @Override
    public void registerOutParameter(String name, SQLType value) throws SQLException {
        bindNamed(name, "registerOutParameter", statement -> statement.registerOutParameter(name, value));
    }

    @Override
    public void registerOutParameter(int index, int sqlType, String typeName) throws SQLException {
        bind(index, (statement, at) -> ((CallableStatement) statement).registerOutParameter(at, sqlType, typeName));
    }

    @Override
    public void registerOutParameter(int index, int sqlType, int detail) throws SQLException {
        bind(index, (statement, at) -> ((CallableStatement) statement).registerOutParameter(at, sqlType, detail));
    }

    @Override
    public void registerOutParameter(int index, int sqlType) throws SQLException {
        bind(index, (statement, at) -> ((CallableStatement) statement).registerOutParameter(at, sqlType));
    }

    @Override
    public void registerOutParameter(int index, SQLType value, String typeName) throws SQLException {
        bind(index, (statement, at) -> ((CallableStatement) statement).registerOutParameter(at, value, typeName));
    }

    @Override
    public void registerOutParameter(int index, SQLType value, int detail) throws SQLException {
        bind(index, (statement, at) -> ((CallableStatement) statement).registerOutParameter(at, value, detail));
    }

    @Override
    public void registerOutParameter(int index, SQLType value) throws SQLException {
        bind(index, (statement, at) -> ((CallableStatement) statement).registerOutParameter(at, value));
    }

    @Override
    public void setAsciiStream(String name, InputStream value, int detail) throws SQLException {
        bindNamedOnce(name, "setAsciiStream", statement -> statement.setAsciiStream(name, value, detail));
    }

    @Override
    public void setAsciiStream(String name, InputStream value, long length) throws SQLException {
        bindNamedOnce(name, "setAsciiStream", statement -> statement.setAsciiStream(name, value, length));
    }

    @Override
    public void setAsciiStream(String name, InputStream value) throws SQLException {
        bindNamedOnce(name, "setAsciiStream", statement -> statement.setAsciiStream(name, value));
    }

    @Override
    public void setBigDecimal(String name, BigDecimal value) throws SQLException {
        bindNamed(name, "setBigDecimal", statement -> statement.setBigDecimal(name, value));
    }

    @Override
    public void setBinaryStream(String name, InputStream value, int detail) throws SQLException {
        bindNamedOnce(name, "setBinaryStream", statement -> statement.setBinaryStream(name, value, detail));
    }

    @Override
    public void setBinaryStream(String name, InputStream value, long length) throws SQLException {
        bindNamedOnce(name, "setBinaryStream", statement -> statement.setBinaryStream(name, value, length));
    }

    @Override
    public void setBinaryStream(String name, InputStream value) throws SQLException {
        bindNamedOnce(name, "setBinaryStream", statement -> statement.setBinaryStream(name, value));
    }

    @Override
    public void setBlob(String name, InputStream value, long length) throws SQLException {
        bindNamedOnce(name, "setBlob", statement -> statement.setBlob(name, value, length));
    }

    @Override
    public void setBlob(String name, InputStream value) throws SQLException {
        bindNamedOnce(name, "setBlob", statement -> statement.setBlob(name, value));
    }

    @Override
    public void setBlob(String name, Blob value) throws SQLException {
        bindNamed(name, "setBlob", statement -> statement.setBlob(name, value));
    }

    @Override
    public void setBoolean(String name, boolean value) throws SQLException {
        bindNamed(name, "setBoolean", statement -> statement.setBoolean(name, value));
    }

    @Override
    public void setByte(String name, byte value) throws SQLException {
        bindNamed(name, "setByte", statement -> statement.setByte(name, value));
    }

    @Override
    public void setBytes(String name, byte[] value) throws SQLException {
        bindNamed(name, "setBytes", statement -> statement.setBytes(name, value));
    }

    @Override
    public void setCharacterStream(String name, Reader value, int detail) throws SQLException {
        bindNamedOnce(name, "setCharacterStream", statement -> statement.setCharacterStream(name, value, detail));
    }

    @Override
    public void setCharacterStream(String name, Reader value, long length) throws SQLException {
        bindNamedOnce(name, "setCharacterStream", statement -> statement.setCharacterStream(name, value, length));
    }

    @Override
    public void setCharacterStream(String name, Reader value) throws SQLException {
        bindNamedOnce(name, "setCharacterStream", statement -> statement.setCharacterStream(name, value));
    }

    @Override
    public void setClob(String name, Reader value, long length) throws SQLException {
        bindNamedOnce(name, "setClob", statement -> statement.setClob(name, value, length));
    }

    @Override
    public void setClob(String name, Reader value) throws SQLException {
        bindNamedOnce(name, "setClob", statement -> statement.setClob(name, value));
    }

    @Override
    public void setClob(String name, Clob value) throws SQLException {
        bindNamed(name, "setClob", statement -> statement.setClob(name, value));
    }

    @Override
    public void setDate(String name, Date value, Calendar calendar) throws SQLException {
        bindNamed(name, "setDate", statement -> statement.setDate(name, value, calendar));
    }

    @Override
    public void setDate(String name, Date value) throws SQLException {
        bindNamed(name, "setDate", statement -> statement.setDate(name, value));
    }

    @Override
    public void setDouble(String name, double value) throws SQLException {
        bindNamed(name, "setDouble", statement -> statement.setDouble(name, value));
    }

    @Override
    public void setFloat(String name, float value) throws SQLException {
        bindNamed(name, "setFloat", statement -> statement.setFloat(name, value));
    }

    @Override
    public void setInt(String name, int value) throws SQLException {
        bindNamed(name, "setInt", statement -> statement.setInt(name, value));
    }

    @Override
    public void setLong(String name, long value) throws SQLException {
        bindNamed(name, "setLong", statement -> statement.setLong(name, value));
    }

    @Override
    public void setNCharacterStream(String name, Reader value, long length) throws SQLException {
        bindNamedOnce(name, "setNCharacterStream", statement -> statement.setNCharacterStream(name, value, length));
    }

    @Override
    public void setNCharacterStream(String name, Reader value) throws SQLException {
        bindNamedOnce(name, "setNCharacterStream", statement -> statement.setNCharacterStream(name, value));
    }

    @Override
    public void setNClob(String name, Reader value, long length) throws SQLException {
        bindNamedOnce(name, "setNClob", statement -> statement.setNClob(name, value, length));
    }

    @Override
    public void setNClob(String name, Reader value) throws SQLException {
        bindNamedOnce(name, "setNClob", statement -> statement.setNClob(name, value));
    }

    @Override
    public void setNClob(String name, NClob value) throws SQLException {
        bindNamed(name, "setNClob", statement -> statement.setNClob(name, value));
    }

    @Override
    public void setNString(String name, String value) throws SQLException {
        bindNamed(name, "setNString", statement -> statement.setNString(name, value));
    }

    @Override
    public void setNull(String name, int sqlType, String typeName) throws SQLException {
        bindNamed(name, "setNull", statement -> statement.setNull(name, sqlType, typeName));
    }

    @Override
    public void setNull(String name, int sqlType) throws SQLException {
        bindNamed(name, "setNull", statement -> statement.setNull(name, sqlType));
    }

    @Override
    public void setObject(String name, Object value, int detail, int detail3) throws SQLException {
        bindNamed(name, "setObject", statement -> statement.setObject(name, value, detail, detail3));
    }

    @Override
    public void setObject(String name, Object value, int detail) throws SQLException {
        bindNamed(name, "setObject", statement -> statement.setObject(name, value, detail));
    }

    @Override
    public void setObject(String name, Object value, SQLType sqlType, int detail) throws SQLException {
        bindNamed(name, "setObject", statement -> statement.setObject(name, value, sqlType, detail));
    }

    @Override
    public void setObject(String name, Object value, SQLType sqlType) throws SQLException {
        bindNamed(name, "setObject", statement -> statement.setObject(name, value, sqlType));
    }

    @Override
    public void setObject(String name, Object value) throws SQLException {
        bindNamed(name, "setObject", statement -> statement.setObject(name, value));
    }

    @Override
    public void setRowId(String name, RowId value) throws SQLException {
        bindNamed(name, "setRowId", statement -> statement.setRowId(name, value));
    }

    @Override
    public void setSQLXML(String name, SQLXML value) throws SQLException {
        bindNamed(name, "setSQLXML", statement -> statement.setSQLXML(name, value));
    }

    @Override
    public void setShort(String name, short value) throws SQLException {
        bindNamed(name, "setShort", statement -> statement.setShort(name, value));
    }

    @Override
    public void setString(String name, String value) throws SQLException {
        bindNamed(name, "setString", statement -> statement.setString(name, value));
    }

    @Override
    public void setTime(String name, Time value, Calendar calendar) throws SQLException {
        bindNamed(name, "setTime", statement -> statement.setTime(name, value, calendar));
    }

    @Override
    public void setTime(String name, Time value) throws SQLException {
        bindNamed(name, "setTime", statement -> statement.setTime(name, value));
    }

    @Override
    public void setTimestamp(String name, Timestamp value, Calendar calendar) throws SQLException {
        bindNamed(name, "setTimestamp", statement -> statement.setTimestamp(name, value, calendar));
    }

    @Override
    public void setTimestamp(String name, Timestamp value) throws SQLException {
        bindNamed(name, "setTimestamp", statement -> statement.setTimestamp(name, value));
    }

    @Override
    public void setURL(String name, URL value) throws SQLException {
        bindNamed(name, "setURL", statement -> statement.setURL(name, value));
    }

    @Override
    public boolean wasNull() throws SQLException {
        return callable().wasNull();
    }
}
