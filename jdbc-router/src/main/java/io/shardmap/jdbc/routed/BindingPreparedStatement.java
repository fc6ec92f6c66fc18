package io.shardmap.jdbc.routed;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.NullUnmarked;

/** Remembers the parameters of a prepared statement, so that it can be prepared and bound again on another server. */
@NullUnmarked
@SuppressWarnings("deprecation")
abstract class BindingPreparedStatement extends RoutedStatement implements PreparedStatement {

    BindingPreparedStatement(RoutedConnection connection, ResultShape shape) {
        super(connection, shape);
    }

    /** Remembers a parameter. */
    abstract void bind(int index, Binding binding) throws SQLException;

    /** Remembers a parameter that can be read only once. */
    abstract void bindOnce(int index, Binding binding) throws SQLException;

    /** Sets one parameter; {@code at} is its place in the text that is sent. */
    interface Binding {
        void apply(PreparedStatement statement, int at) throws SQLException;
    }

    @Override
    public void setAsciiStream(int index, InputStream value, int detail) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setAsciiStream(at, value, detail));
    }

    @Override
    public void setAsciiStream(int index, InputStream value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setAsciiStream(at, value, length));
    }

    @Override
    public void setAsciiStream(int index, InputStream value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setAsciiStream(at, value));
    }

    @Override
    public void setBigDecimal(int index, BigDecimal value) throws SQLException {
        bind(index, (statement, at) -> statement.setBigDecimal(at, value));
    }

    @Override
    public void setBinaryStream(int index, InputStream value, int detail) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setBinaryStream(at, value, detail));
    }

    @Override
    public void setBinaryStream(int index, InputStream value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setBinaryStream(at, value, length));
    }

    @Override
    public void setBinaryStream(int index, InputStream value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setBinaryStream(at, value));
    }

    @Override
    public void setBlob(int index, InputStream value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setBlob(at, value, length));
    }

    @Override
    public void setBlob(int index, InputStream value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setBlob(at, value));
    }

    @Override
    public void setBlob(int index, Blob value) throws SQLException {
        bind(index, (statement, at) -> statement.setBlob(at, value));
    }

    @Override
    public void setBoolean(int index, boolean value) throws SQLException {
        bind(index, (statement, at) -> statement.setBoolean(at, value));
    }

    @Override
    public void setByte(int index, byte value) throws SQLException {
        bind(index, (statement, at) -> statement.setByte(at, value));
    }

    @Override
    public void setBytes(int index, byte[] value) throws SQLException {
        bind(index, (statement, at) -> statement.setBytes(at, value));
    }

    @Override
    public void setCharacterStream(int index, Reader value, int detail) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setCharacterStream(at, value, detail));
    }

    @Override
    public void setCharacterStream(int index, Reader value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setCharacterStream(at, value, length));
    }

    @Override
    public void setCharacterStream(int index, Reader value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setCharacterStream(at, value));
    }

    @Override
    public void setClob(int index, Reader value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setClob(at, value, length));
    }

    @Override
    public void setClob(int index, Reader value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setClob(at, value));
    }

    @Override
    public void setClob(int index, Clob value) throws SQLException {
        bind(index, (statement, at) -> statement.setClob(at, value));
    }

    @Override
    public void setDate(int index, Date value, Calendar calendar) throws SQLException {
        bind(index, (statement, at) -> statement.setDate(at, value, calendar));
    }

    @Override
    public void setDate(int index, Date value) throws SQLException {
        bind(index, (statement, at) -> statement.setDate(at, value));
    }

    @Override
    public void setDouble(int index, double value) throws SQLException {
        bind(index, (statement, at) -> statement.setDouble(at, value));
    }

    @Override
    public void setFloat(int index, float value) throws SQLException {
        bind(index, (statement, at) -> statement.setFloat(at, value));
    }

    @Override
    public void setInt(int index, int value) throws SQLException {
        bind(index, (statement, at) -> statement.setInt(at, value));
    }

    @Override
    public void setLong(int index, long value) throws SQLException {
        bind(index, (statement, at) -> statement.setLong(at, value));
    }

    @Override
    public void setNCharacterStream(int index, Reader value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setNCharacterStream(at, value, length));
    }

    @Override
    public void setNCharacterStream(int index, Reader value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setNCharacterStream(at, value));
    }

    @Override
    public void setNClob(int index, Reader value, long length) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setNClob(at, value, length));
    }

    @Override
    public void setNClob(int index, Reader value) throws SQLException {
        bindOnce(index, (statement, at) -> statement.setNClob(at, value));
    }

    @Override
    public void setNClob(int index, NClob value) throws SQLException {
        bind(index, (statement, at) -> statement.setNClob(at, value));
    }

    @Override
    public void setNString(int index, String value) throws SQLException {
        bind(index, (statement, at) -> statement.setNString(at, value));
    }

    @Override
    public void setNull(int index, int sqlType, String typeName) throws SQLException {
        bind(index, (statement, at) -> statement.setNull(at, sqlType, typeName));
    }

    @Override
    public void setNull(int index, int sqlType) throws SQLException {
        bind(index, (statement, at) -> statement.setNull(at, sqlType));
    }

    @Override
    public void setObject(int index, Object value, int detail, int detail3) throws SQLException {
        bind(index, (statement, at) -> statement.setObject(at, value, detail, detail3));
    }

    @Override
    public void setObject(int index, Object value, int detail) throws SQLException {
        bind(index, (statement, at) -> statement.setObject(at, value, detail));
    }

    @Override
    public void setObject(int index, Object value, SQLType sqlType, int detail) throws SQLException {
        bind(index, (statement, at) -> statement.setObject(at, value, sqlType, detail));
    }

    @Override
    public void setObject(int index, Object value, SQLType sqlType) throws SQLException {
        bind(index, (statement, at) -> statement.setObject(at, value, sqlType));
    }

    @Override
    public void setObject(int index, Object value) throws SQLException {
        bind(index, (statement, at) -> statement.setObject(at, value));
    }

    @Override
    public void setRef(int index, Ref value) throws SQLException {
        bind(index, (statement, at) -> statement.setRef(at, value));
    }

    @Override
    public void setRowId(int index, RowId value) throws SQLException {
        bind(index, (statement, at) -> statement.setRowId(at, value));
    }

    @Override
    public void setSQLXML(int index, SQLXML value) throws SQLException {
        bind(index, (statement, at) -> statement.setSQLXML(at, value));
    }

    @Override
    public void setShort(int index, short value) throws SQLException {
        bind(index, (statement, at) -> statement.setShort(at, value));
    }

    @Override
    public void setString(int index, String value) throws SQLException {
        bind(index, (statement, at) -> statement.setString(at, value));
    }

    @Override
    public void setTime(int index, Time value, Calendar calendar) throws SQLException {
        bind(index, (statement, at) -> statement.setTime(at, value, calendar));
    }

    @Override
    public void setTime(int index, Time value) throws SQLException {
        bind(index, (statement, at) -> statement.setTime(at, value));
    }

    @Override
    public void setTimestamp(int index, Timestamp value, Calendar calendar) throws SQLException {
        bind(index, (statement, at) -> statement.setTimestamp(at, value, calendar));
    }

    @Override
    public void setTimestamp(int index, Timestamp value) throws SQLException {
        bind(index, (statement, at) -> statement.setTimestamp(at, value));
    }

    @Override
    public void setURL(int index, URL value) throws SQLException {
        bind(index, (statement, at) -> statement.setURL(at, value));
    }

    @Deprecated
    @Override
    public void setUnicodeStream(int index, InputStream value, int detail) throws SQLException {
        throw new SQLFeatureNotSupportedException("setUnicodeStream is deprecated; use a character stream", "0A000");
    }
}
