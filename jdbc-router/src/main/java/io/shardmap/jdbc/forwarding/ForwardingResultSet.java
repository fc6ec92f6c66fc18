package io.shardmap.jdbc.forwarding;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLType;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;

/** Forwards every call to another {@link ResultSet}; subclasses override what they change. */
@SuppressWarnings("deprecation")
public abstract class ForwardingResultSet implements ResultSet {

    /** Returns the object that receives the calls. */
    protected abstract ResultSet delegate();

    @Override
    public boolean absolute(int index) throws SQLException {
        return delegate().absolute(index);
    }

    @Override
    public void afterLast() throws SQLException {
        delegate().afterLast();
    }

    @Override
    public void beforeFirst() throws SQLException {
        delegate().beforeFirst();
    }

    @Override
    public void cancelRowUpdates() throws SQLException {
        delegate().cancelRowUpdates();
    }

    @Override
    public void clearWarnings() throws SQLException {
        delegate().clearWarnings();
    }

    @Override
    public void close() throws SQLException {
        delegate().close();
    }

    @Override
    public void deleteRow() throws SQLException {
        delegate().deleteRow();
    }

    @Override
    public int findColumn(String text) throws SQLException {
        return delegate().findColumn(text);
    }

    @Override
    public boolean first() throws SQLException {
        return delegate().first();
    }

    @Override
    public Array getArray(String text) throws SQLException {
        return delegate().getArray(text);
    }

    @Override
    public Array getArray(int index) throws SQLException {
        return delegate().getArray(index);
    }

    @Override
    public InputStream getAsciiStream(String text) throws SQLException {
        return delegate().getAsciiStream(text);
    }

    @Override
    public InputStream getAsciiStream(int index) throws SQLException {
        return delegate().getAsciiStream(index);
    }

    @Deprecated
    @Override
    public BigDecimal getBigDecimal(String text, int number) throws SQLException {
        BigDecimal value = getBigDecimal(text);
        return value == null ? null : value.setScale(number, RoundingMode.HALF_UP);
    }

    @Override
    public BigDecimal getBigDecimal(String text) throws SQLException {
        return delegate().getBigDecimal(text);
    }

    @Deprecated
    @Override
    public BigDecimal getBigDecimal(int index, int number) throws SQLException {
        BigDecimal value = getBigDecimal(index);
        return value == null ? null : value.setScale(number, RoundingMode.HALF_UP);
    }

    @Override
    public BigDecimal getBigDecimal(int index) throws SQLException {
        return delegate().getBigDecimal(index);
    }

    @Override
    public InputStream getBinaryStream(String text) throws SQLException {
        return delegate().getBinaryStream(text);
    }

    @Override
    public InputStream getBinaryStream(int index) throws SQLException {
        return delegate().getBinaryStream(index);
    }

    @Override
    public Blob getBlob(String text) throws SQLException {
        return delegate().getBlob(text);
    }

    @Override
    public Blob getBlob(int index) throws SQLException {
        return delegate().getBlob(index);
    }

    @Override
    public boolean getBoolean(String text) throws SQLException {
        return delegate().getBoolean(text);
    }

    @Override
    public boolean getBoolean(int index) throws SQLException {
        return delegate().getBoolean(index);
    }

    @Override
    public byte getByte(String text) throws SQLException {
        return delegate().getByte(text);
    }

    @Override
    public byte getByte(int index) throws SQLException {
        return delegate().getByte(index);
    }

    @Override
    public byte[] getBytes(String text) throws SQLException {
        return delegate().getBytes(text);
    }

    @Override
    public byte[] getBytes(int index) throws SQLException {
        return delegate().getBytes(index);
    }

    @Override
    public Reader getCharacterStream(String text) throws SQLException {
        return delegate().getCharacterStream(text);
    }

    @Override
    public Reader getCharacterStream(int index) throws SQLException {
        return delegate().getCharacterStream(index);
    }

    @Override
    public Clob getClob(String text) throws SQLException {
        return delegate().getClob(text);
    }

    @Override
    public Clob getClob(int index) throws SQLException {
        return delegate().getClob(index);
    }

    @Override
    public int getConcurrency() throws SQLException {
        return delegate().getConcurrency();
    }

    @Override
    public String getCursorName() throws SQLException {
        return delegate().getCursorName();
    }

    @Override
    public Date getDate(String text, Calendar value) throws SQLException {
        return delegate().getDate(text, value);
    }

    @Override
    public Date getDate(String text) throws SQLException {
        return delegate().getDate(text);
    }

    @Override
    public Date getDate(int index, Calendar value) throws SQLException {
        return delegate().getDate(index, value);
    }

    @Override
    public Date getDate(int index) throws SQLException {
        return delegate().getDate(index);
    }

    @Override
    public double getDouble(String text) throws SQLException {
        return delegate().getDouble(text);
    }

    @Override
    public double getDouble(int index) throws SQLException {
        return delegate().getDouble(index);
    }

    @Override
    public int getFetchDirection() throws SQLException {
        return delegate().getFetchDirection();
    }

    @Override
    public int getFetchSize() throws SQLException {
        return delegate().getFetchSize();
    }

    @Override
    public float getFloat(String text) throws SQLException {
        return delegate().getFloat(text);
    }

    @Override
    public float getFloat(int index) throws SQLException {
        return delegate().getFloat(index);
    }

    @Override
    public int getHoldability() throws SQLException {
        return delegate().getHoldability();
    }

    @Override
    public int getInt(String text) throws SQLException {
        return delegate().getInt(text);
    }

    @Override
    public int getInt(int index) throws SQLException {
        return delegate().getInt(index);
    }

    @Override
    public long getLong(String text) throws SQLException {
        return delegate().getLong(text);
    }

    @Override
    public long getLong(int index) throws SQLException {
        return delegate().getLong(index);
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return delegate().getMetaData();
    }

    @Override
    public Reader getNCharacterStream(String text) throws SQLException {
        return delegate().getNCharacterStream(text);
    }

    @Override
    public Reader getNCharacterStream(int index) throws SQLException {
        return delegate().getNCharacterStream(index);
    }

    @Override
    public NClob getNClob(String text) throws SQLException {
        return delegate().getNClob(text);
    }

    @Override
    public NClob getNClob(int index) throws SQLException {
        return delegate().getNClob(index);
    }

    @Override
    public String getNString(String text) throws SQLException {
        return delegate().getNString(text);
    }

    @Override
    public String getNString(int index) throws SQLException {
        return delegate().getNString(index);
    }

    @Override
    public <T> T getObject(String text, Class<T> type) throws SQLException {
        return delegate().getObject(text, type);
    }

    @Override
    public Object getObject(String text, Map<String, Class<?>> value) throws SQLException {
        return delegate().getObject(text, value);
    }

    @Override
    public Object getObject(String text) throws SQLException {
        return delegate().getObject(text);
    }

    @Override
    public <T> T getObject(int index, Class<T> type) throws SQLException {
        return delegate().getObject(index, type);
    }

    @Override
    public Object getObject(int index, Map<String, Class<?>> value) throws SQLException {
        return delegate().getObject(index, value);
    }

    @Override
    public Object getObject(int index) throws SQLException {
        return delegate().getObject(index);
    }

    @Override
    public Ref getRef(String text) throws SQLException {
        return delegate().getRef(text);
    }

    @Override
    public Ref getRef(int index) throws SQLException {
        return delegate().getRef(index);
    }

    @Override
    public int getRow() throws SQLException {
        return delegate().getRow();
    }

    @Override
    public RowId getRowId(String text) throws SQLException {
        return delegate().getRowId(text);
    }

    @Override
    public RowId getRowId(int index) throws SQLException {
        return delegate().getRowId(index);
    }

    @Override
    public SQLXML getSQLXML(String text) throws SQLException {
        return delegate().getSQLXML(text);
    }

    @Override
    public SQLXML getSQLXML(int index) throws SQLException {
        return delegate().getSQLXML(index);
    }

    @Override
    public short getShort(String text) throws SQLException {
        return delegate().getShort(text);
    }

    @Override
    public short getShort(int index) throws SQLException {
        return delegate().getShort(index);
    }

    @Override
    public Statement getStatement() throws SQLException {
        return delegate().getStatement();
    }

    @Override
    public String getString(String text) throws SQLException {
        return delegate().getString(text);
    }

    @Override
    public String getString(int index) throws SQLException {
        return delegate().getString(index);
    }

    @Override
    public Time getTime(String text, Calendar value) throws SQLException {
        return delegate().getTime(text, value);
    }

    @Override
    public Time getTime(String text) throws SQLException {
        return delegate().getTime(text);
    }

    @Override
    public Time getTime(int index, Calendar value) throws SQLException {
        return delegate().getTime(index, value);
    }

    @Override
    public Time getTime(int index) throws SQLException {
        return delegate().getTime(index);
    }

    @Override
    public Timestamp getTimestamp(String text, Calendar value) throws SQLException {
        return delegate().getTimestamp(text, value);
    }

    @Override
    public Timestamp getTimestamp(String text) throws SQLException {
        return delegate().getTimestamp(text);
    }

    @Override
    public Timestamp getTimestamp(int index, Calendar value) throws SQLException {
        return delegate().getTimestamp(index, value);
    }

    @Override
    public Timestamp getTimestamp(int index) throws SQLException {
        return delegate().getTimestamp(index);
    }

    @Override
    public int getType() throws SQLException {
        return delegate().getType();
    }

    @Override
    public URL getURL(String text) throws SQLException {
        return delegate().getURL(text);
    }

    @Override
    public URL getURL(int index) throws SQLException {
        return delegate().getURL(index);
    }

    @Deprecated
    @Override
    public InputStream getUnicodeStream(String text) throws SQLException {
        throw new SQLFeatureNotSupportedException("getUnicodeStream is deprecated; use a character stream", "0A000");
    }

    @Deprecated
    @Override
    public InputStream getUnicodeStream(int index) throws SQLException {
        throw new SQLFeatureNotSupportedException("getUnicodeStream is deprecated; use a character stream", "0A000");
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return delegate().getWarnings();
    }

    @Override
    public void insertRow() throws SQLException {
        delegate().insertRow();
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        return delegate().isAfterLast();
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        return delegate().isBeforeFirst();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return delegate().isClosed();
    }

    @Override
    public boolean isFirst() throws SQLException {
        return delegate().isFirst();
    }

    @Override
    public boolean isLast() throws SQLException {
        return delegate().isLast();
    }

    @Override
    public boolean last() throws SQLException {
        return delegate().last();
    }

    @Override
    public void moveToCurrentRow() throws SQLException {
        delegate().moveToCurrentRow();
    }

    @Override
    public void moveToInsertRow() throws SQLException {
        delegate().moveToInsertRow();
    }

    @Override
    public boolean next() throws SQLException {
        return delegate().next();
    }

    @Override
    public boolean previous() throws SQLException {
        return delegate().previous();
    }

    @Override
    public void refreshRow() throws SQLException {
        delegate().refreshRow();
    }

    @Override
    public boolean relative(int index) throws SQLException {
        return delegate().relative(index);
    }

    @Override
    public boolean rowDeleted() throws SQLException {
        return delegate().rowDeleted();
    }

    @Override
    public boolean rowInserted() throws SQLException {
        return delegate().rowInserted();
    }

    @Override
    public boolean rowUpdated() throws SQLException {
        return delegate().rowUpdated();
    }

    @Override
    public void setFetchDirection(int index) throws SQLException {
        delegate().setFetchDirection(index);
    }

    @Override
    public void setFetchSize(int index) throws SQLException {
        delegate().setFetchSize(index);
    }

    @Override
    public void updateArray(String text, Array value) throws SQLException {
        delegate().updateArray(text, value);
    }

    @Override
    public void updateArray(int index, Array value) throws SQLException {
        delegate().updateArray(index, value);
    }

    @Override
    public void updateAsciiStream(String text, InputStream value, int number) throws SQLException {
        delegate().updateAsciiStream(text, value, number);
    }

    @Override
    public void updateAsciiStream(String text, InputStream value, long length) throws SQLException {
        delegate().updateAsciiStream(text, value, length);
    }

    @Override
    public void updateAsciiStream(String text, InputStream value) throws SQLException {
        delegate().updateAsciiStream(text, value);
    }

    @Override
    public void updateAsciiStream(int index, InputStream value, int number) throws SQLException {
        delegate().updateAsciiStream(index, value, number);
    }

    @Override
    public void updateAsciiStream(int index, InputStream value, long length) throws SQLException {
        delegate().updateAsciiStream(index, value, length);
    }

    @Override
    public void updateAsciiStream(int index, InputStream value) throws SQLException {
        delegate().updateAsciiStream(index, value);
    }

    @Override
    public void updateBigDecimal(String text, BigDecimal value) throws SQLException {
        delegate().updateBigDecimal(text, value);
    }

    @Override
    public void updateBigDecimal(int index, BigDecimal value) throws SQLException {
        delegate().updateBigDecimal(index, value);
    }

    @Override
    public void updateBinaryStream(String text, InputStream value, int number) throws SQLException {
        delegate().updateBinaryStream(text, value, number);
    }

    @Override
    public void updateBinaryStream(String text, InputStream value, long length) throws SQLException {
        delegate().updateBinaryStream(text, value, length);
    }

    @Override
    public void updateBinaryStream(String text, InputStream value) throws SQLException {
        delegate().updateBinaryStream(text, value);
    }

    @Override
    public void updateBinaryStream(int index, InputStream value, int number) throws SQLException {
        delegate().updateBinaryStream(index, value, number);
    }

    @Override
    public void updateBinaryStream(int index, InputStream value, long length) throws SQLException {
        delegate().updateBinaryStream(index, value, length);
    }

    @Override
    public void updateBinaryStream(int index, InputStream value) throws SQLException {
        delegate().updateBinaryStream(index, value);
    }

    @Override
    public void updateBlob(String text, InputStream value, long length) throws SQLException {
        delegate().updateBlob(text, value, length);
    }

    @Override
    public void updateBlob(String text, InputStream value) throws SQLException {
        delegate().updateBlob(text, value);
    }

    @Override
    public void updateBlob(String text, Blob value) throws SQLException {
        delegate().updateBlob(text, value);
    }

    @Override
    public void updateBlob(int index, InputStream value, long length) throws SQLException {
        delegate().updateBlob(index, value, length);
    }

    @Override
    public void updateBlob(int index, InputStream value) throws SQLException {
        delegate().updateBlob(index, value);
    }

    @Override
    public void updateBlob(int index, Blob value) throws SQLException {
        delegate().updateBlob(index, value);
    }

    @Override
    public void updateBoolean(String text, boolean flag) throws SQLException {
        delegate().updateBoolean(text, flag);
    }

    @Override
    public void updateBoolean(int index, boolean flag) throws SQLException {
        delegate().updateBoolean(index, flag);
    }

    @Override
    public void updateByte(String text, byte value) throws SQLException {
        delegate().updateByte(text, value);
    }

    @Override
    public void updateByte(int index, byte value) throws SQLException {
        delegate().updateByte(index, value);
    }

    @Override
    public void updateBytes(String text, byte[] value) throws SQLException {
        delegate().updateBytes(text, value);
    }

    @Override
    public void updateBytes(int index, byte[] value) throws SQLException {
        delegate().updateBytes(index, value);
    }

    @Override
    public void updateCharacterStream(String text, Reader value, int number) throws SQLException {
        delegate().updateCharacterStream(text, value, number);
    }

    @Override
    public void updateCharacterStream(String text, Reader value, long length) throws SQLException {
        delegate().updateCharacterStream(text, value, length);
    }

    @Override
    public void updateCharacterStream(String text, Reader value) throws SQLException {
        delegate().updateCharacterStream(text, value);
    }

    @Override
    public void updateCharacterStream(int index, Reader value, int number) throws SQLException {
        delegate().updateCharacterStream(index, value, number);
    }

    @Override
    public void updateCharacterStream(int index, Reader value, long length) throws SQLException {
        delegate().updateCharacterStream(index, value, length);
    }

    @Override
    public void updateCharacterStream(int index, Reader value) throws SQLException {
        delegate().updateCharacterStream(index, value);
    }

    @Override
    public void updateClob(String text, Reader value, long length) throws SQLException {
        delegate().updateClob(text, value, length);
    }

    @Override
    public void updateClob(String text, Reader value) throws SQLException {
        delegate().updateClob(text, value);
    }

    @Override
    public void updateClob(String text, Clob value) throws SQLException {
        delegate().updateClob(text, value);
    }

    @Override
    public void updateClob(int index, Reader value, long length) throws SQLException {
        delegate().updateClob(index, value, length);
    }

    @Override
    public void updateClob(int index, Reader value) throws SQLException {
        delegate().updateClob(index, value);
    }

    @Override
    public void updateClob(int index, Clob value) throws SQLException {
        delegate().updateClob(index, value);
    }

    @Override
    public void updateDate(String text, Date value) throws SQLException {
        delegate().updateDate(text, value);
    }

    @Override
    public void updateDate(int index, Date value) throws SQLException {
        delegate().updateDate(index, value);
    }

    @Override
    public void updateDouble(String text, double value) throws SQLException {
        delegate().updateDouble(text, value);
    }

    @Override
    public void updateDouble(int index, double value) throws SQLException {
        delegate().updateDouble(index, value);
    }

    @Override
    public void updateFloat(String text, float value) throws SQLException {
        delegate().updateFloat(text, value);
    }

    @Override
    public void updateFloat(int index, float value) throws SQLException {
        delegate().updateFloat(index, value);
    }

    @Override
    public void updateInt(String text, int number) throws SQLException {
        delegate().updateInt(text, number);
    }

    @Override
    public void updateInt(int index, int number) throws SQLException {
        delegate().updateInt(index, number);
    }

    @Override
    public void updateLong(String text, long length) throws SQLException {
        delegate().updateLong(text, length);
    }

    @Override
    public void updateLong(int index, long length) throws SQLException {
        delegate().updateLong(index, length);
    }

    @Override
    public void updateNCharacterStream(String text, Reader value, long length) throws SQLException {
        delegate().updateNCharacterStream(text, value, length);
    }

    @Override
    public void updateNCharacterStream(String text, Reader value) throws SQLException {
        delegate().updateNCharacterStream(text, value);
    }

    @Override
    public void updateNCharacterStream(int index, Reader value, long length) throws SQLException {
        delegate().updateNCharacterStream(index, value, length);
    }

    @Override
    public void updateNCharacterStream(int index, Reader value) throws SQLException {
        delegate().updateNCharacterStream(index, value);
    }

    @Override
    public void updateNClob(String text, Reader value, long length) throws SQLException {
        delegate().updateNClob(text, value, length);
    }

    @Override
    public void updateNClob(String text, Reader value) throws SQLException {
        delegate().updateNClob(text, value);
    }

    @Override
    public void updateNClob(String text, NClob value) throws SQLException {
        delegate().updateNClob(text, value);
    }

    @Override
    public void updateNClob(int index, Reader value, long length) throws SQLException {
        delegate().updateNClob(index, value, length);
    }

    @Override
    public void updateNClob(int index, Reader value) throws SQLException {
        delegate().updateNClob(index, value);
    }

    @Override
    public void updateNClob(int index, NClob value) throws SQLException {
        delegate().updateNClob(index, value);
    }

    @Override
    public void updateNString(String text, String name) throws SQLException {
        delegate().updateNString(text, name);
    }

    @Override
    public void updateNString(int index, String name) throws SQLException {
        delegate().updateNString(index, name);
    }

    @Override
    public void updateNull(String text) throws SQLException {
        delegate().updateNull(text);
    }

    @Override
    public void updateNull(int index) throws SQLException {
        delegate().updateNull(index);
    }

    @Override
    public void updateObject(String text, Object value, int number) throws SQLException {
        delegate().updateObject(text, value, number);
    }

    @Override
    public void updateObject(String text, Object value, SQLType value2, int number) throws SQLException {
        delegate().updateObject(text, value, value2, number);
    }

    @Override
    public void updateObject(String text, Object value, SQLType value2) throws SQLException {
        delegate().updateObject(text, value, value2);
    }

    @Override
    public void updateObject(String text, Object value) throws SQLException {
        delegate().updateObject(text, value);
    }

    @Override
    public void updateObject(int index, Object value, int number) throws SQLException {
        delegate().updateObject(index, value, number);
    }

    @Override
    public void updateObject(int index, Object value, SQLType value2, int number) throws SQLException {
        delegate().updateObject(index, value, value2, number);
    }

    @Override
    public void updateObject(int index, Object value, SQLType value2) throws SQLException {
        delegate().updateObject(index, value, value2);
    }

    @Override
    public void updateObject(int index, Object value) throws SQLException {
        delegate().updateObject(index, value);
    }

    @Override
    public void updateRef(String text, Ref value) throws SQLException {
        delegate().updateRef(text, value);
    }

    @Override
    public void updateRef(int index, Ref value) throws SQLException {
        delegate().updateRef(index, value);
    }

    @Override
    public void updateRow() throws SQLException {
        delegate().updateRow();
    }

    @Override
    public void updateRowId(String text, RowId value) throws SQLException {
        delegate().updateRowId(text, value);
    }

    @Override
    public void updateRowId(int index, RowId value) throws SQLException {
        delegate().updateRowId(index, value);
    }

    @Override
    public void updateSQLXML(String text, SQLXML value) throws SQLException {
        delegate().updateSQLXML(text, value);
    }

    @Override
    public void updateSQLXML(int index, SQLXML value) throws SQLException {
        delegate().updateSQLXML(index, value);
    }

    @Override
    public void updateShort(String text, short value) throws SQLException {
        delegate().updateShort(text, value);
    }

    @Override
    public void updateShort(int index, short value) throws SQLException {
        delegate().updateShort(index, value);
    }

    @Override
    public void updateString(String text, String name) throws SQLException {
        delegate().updateString(text, name);
    }

    @Override
    public void updateString(int index, String name) throws SQLException {
        delegate().updateString(index, name);
    }

    @Override
    public void updateTime(String text, Time value) throws SQLException {
        delegate().updateTime(text, value);
    }

    @Override
    public void updateTime(int index, Time value) throws SQLException {
        delegate().updateTime(index, value);
    }

    @Override
    public void updateTimestamp(String text, Timestamp value) throws SQLException {
        delegate().updateTimestamp(text, value);
    }

    @Override
    public void updateTimestamp(int index, Timestamp value) throws SQLException {
        delegate().updateTimestamp(index, value);
    }

    @Override
    public boolean wasNull() throws SQLException {
        return delegate().wasNull();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        return delegate().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || delegate().isWrapperFor(type);
    }
}
