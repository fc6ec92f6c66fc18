package io.shardmap.jdbc.fanout;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types whose order is provably the database's, and that order. Values are never NULL here. */
enum SortType {
    INTEGER {
        @Override
        Object value(ResultSet row, int column) throws SQLException {
            return row.getLong(column);
        }

        @Override
        int compare(Object a, Object b) {
            return Long.compare((Long) a, (Long) b);
        }
    },
    /** The driver gives NaN and the infinities of a numeric as a Double. NaN is the largest and equal to itself. */
    NUMERIC {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getObject(column);
        }

        @Override
        int compare(Object a, Object b) {
            if (a instanceof BigDecimal first && b instanceof BigDecimal second) {
                return first.compareTo(second);
            }
            return Double.compare(place(a), place(b));
        }

        private double place(Object value) {
            return value instanceof Double special ? special : 0;
        }
    },
    /** NaN is the largest, and the two zeros are one. */
    FLOAT {
        @Override
        Object value(ResultSet row, int column) throws SQLException {
            return row.getDouble(column);
        }

        @Override
        int compare(Object a, Object b) {
            double first = (Double) a;
            double second = (Double) b;
            return first == second ? 0 : Double.compare(first, second);
        }
    },
    DATE {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getObject(column, LocalDate.class);
        }

        @Override
        int compare(Object a, Object b) {
            return ((LocalDate) a).compareTo((LocalDate) b);
        }
    },
    TIMESTAMP {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getObject(column, LocalDateTime.class);
        }

        @Override
        int compare(Object a, Object b) {
            return ((LocalDateTime) a).compareTo((LocalDateTime) b);
        }
    },
    INSTANT {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
            return value == null ? null : value.toInstant();
        }

        @Override
        int compare(Object a, Object b) {
            return ((java.time.Instant) a).compareTo((java.time.Instant) b);
        }
    },
    TIME {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getObject(column, LocalTime.class);
        }

        @Override
        int compare(Object a, Object b) {
            return ((LocalTime) a).compareTo((LocalTime) b);
        }
    },
    BOOLEAN {
        @Override
        Object value(ResultSet row, int column) throws SQLException {
            return row.getBoolean(column);
        }

        @Override
        int compare(Object a, Object b) {
            return Boolean.compare((Boolean) a, (Boolean) b);
        }
    },
    /** By unsigned bytes; {@link UUID#compareTo} is signed. */
    UUID_BYTES {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getObject(column, UUID.class);
        }

        @Override
        int compare(Object a, Object b) {
            UUID first = (UUID) a;
            UUID second = (UUID) b;
            int high = Long.compareUnsigned(first.getMostSignificantBits(), second.getMostSignificantBits());
            return high != 0
                    ? high
                    : Long.compareUnsigned(first.getLeastSignificantBits(), second.getLeastSignificantBits());
        }
    },
    BYTES {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getBytes(column);
        }

        @Override
        int compare(Object a, Object b) {
            return Arrays.compareUnsigned((byte[]) a, (byte[]) b);
        }
    },
    /** PostgreSQL text under a binary collation: by code points, which is the order of UTF-8 bytes. */
    TEXT {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getString(column);
        }

        @Override
        int compare(Object a, Object b) {
            return CodePointOrder.compare((String) a, (String) b);
        }
    },
    /** PostgreSQL char(n) under a binary collation: blanks at the end do not count. */
    PADDED_TEXT {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            String padded = row.getString(column);
            if (padded == null) {
                return null;
            }
            int end = padded.length();
            while (end > 0 && padded.charAt(end - 1) == ' ') {
                end--;
            }
            return padded.substring(0, end);
        }

        @Override
        int compare(Object a, Object b) {
            return CodePointOrder.compare((String) a, (String) b);
        }
    },
    /** H2 text without a collation: by UTF-16 code units. */
    JAVA_TEXT {
        @Override
        @Nullable
        Object value(ResultSet row, int column) throws SQLException {
            return row.getString(column);
        }

        @Override
        int compare(Object a, Object b) {
            return ((String) a).compareTo((String) b);
        }
    };

    /** Reads a value; what is returned for NULL does not matter when {@link ResultSet#wasNull} says so. */
    abstract @Nullable Object value(ResultSet row, int column) throws SQLException;

    abstract int compare(Object a, Object b);

    /** Reads a value or null. */
    final @Nullable Object read(ResultSet row, int column) throws SQLException {
        Object value = value(row, column);
        return row.wasNull() ? null : value;
    }
}
