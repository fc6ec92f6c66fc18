package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.forwarding.ForwardingResultSet;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;

/** A server's row without the hidden sort columns at its end. */
final class VisibleColumns extends ForwardingResultSet {
    private final ResultSet rows;
    private final int visible;

    VisibleColumns(ResultSet rows, int visible) {
        this.rows = rows;
        this.visible = visible;
    }

    @Override
    protected ResultSet delegate() {
        return rows;
    }

    private int visible(int column) throws SQLException {
        if (column > visible) {
            throw new SQLException("column must be 1 to " + visible + ": column=" + column, "22023");
        }
        return column;
    }

    @Override
    public int findColumn(String label) throws SQLException {
        int column = rows.findColumn(label);
        if (column > visible) {
            throw new SQLException("column must be in the result: name=" + label, "42703");
        }
        return column;
    }

    @Override
    public Array getArray(int index) throws SQLException {
        return rows.getArray(visible(index));
    }

    @Override
    public InputStream getAsciiStream(int index) throws SQLException {
        return rows.getAsciiStream(visible(index));
    }

    @Override
    public BigDecimal getBigDecimal(int index) throws SQLException {
        return rows.getBigDecimal(visible(index));
    }

    @Override
    public InputStream getBinaryStream(int index) throws SQLException {
        return rows.getBinaryStream(visible(index));
    }

    @Override
    public Blob getBlob(int index) throws SQLException {
        return rows.getBlob(visible(index));
    }

    @Override
    public boolean getBoolean(int index) throws SQLException {
        return rows.getBoolean(visible(index));
    }

    @Override
    public byte getByte(int index) throws SQLException {
        return rows.getByte(visible(index));
    }

    @Override
    public byte[] getBytes(int index) throws SQLException {
        return rows.getBytes(visible(index));
    }

    @Override
    public Reader getCharacterStream(int index) throws SQLException {
        return rows.getCharacterStream(visible(index));
    }

    @Override
    public Clob getClob(int index) throws SQLException {
        return rows.getClob(visible(index));
    }

    @Override
    public Date getDate(int index, Calendar value) throws SQLException {
        return rows.getDate(visible(index), value);
    }

    @Override
    public Date getDate(int index) throws SQLException {
        return rows.getDate(visible(index));
    }

    @Override
    public double getDouble(int index) throws SQLException {
        return rows.getDouble(visible(index));
    }

    @Override
    public float getFloat(int index) throws SQLException {
        return rows.getFloat(visible(index));
    }

    @Override
    public int getInt(int index) throws SQLException {
        return rows.getInt(visible(index));
    }

    @Override
    public long getLong(int index) throws SQLException {
        return rows.getLong(visible(index));
    }

    @Override
    public Reader getNCharacterStream(int index) throws SQLException {
        return rows.getNCharacterStream(visible(index));
    }

    @Override
    public NClob getNClob(int index) throws SQLException {
        return rows.getNClob(visible(index));
    }

    @Override
    public String getNString(int index) throws SQLException {
        return rows.getNString(visible(index));
    }

    @Override
    public <T> T getObject(int index, Class<T> type) throws SQLException {
        return rows.getObject(visible(index), type);
    }

    @Override
    public Object getObject(int index, Map<String, Class<?>> value) throws SQLException {
        return rows.getObject(visible(index), value);
    }

    @Override
    public Object getObject(int index) throws SQLException {
        return rows.getObject(visible(index));
    }

    @Override
    public Ref getRef(int index) throws SQLException {
        return rows.getRef(visible(index));
    }

    @Override
    public RowId getRowId(int index) throws SQLException {
        return rows.getRowId(visible(index));
    }

    @Override
    public SQLXML getSQLXML(int index) throws SQLException {
        return rows.getSQLXML(visible(index));
    }

    @Override
    public short getShort(int index) throws SQLException {
        return rows.getShort(visible(index));
    }

    @Override
    public String getString(int index) throws SQLException {
        return rows.getString(visible(index));
    }

    @Override
    public Time getTime(int index, Calendar value) throws SQLException {
        return rows.getTime(visible(index), value);
    }

    @Override
    public Time getTime(int index) throws SQLException {
        return rows.getTime(visible(index));
    }

    @Override
    public Timestamp getTimestamp(int index, Calendar value) throws SQLException {
        return rows.getTimestamp(visible(index), value);
    }

    @Override
    public Timestamp getTimestamp(int index) throws SQLException {
        return rows.getTimestamp(visible(index));
    }

    @Override
    public URL getURL(int index) throws SQLException {
        return rows.getURL(visible(index));
    }
}
