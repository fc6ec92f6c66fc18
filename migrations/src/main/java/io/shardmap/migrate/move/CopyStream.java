package io.shardmap.migrate.move;

import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/**
 * Rows on their way by COPY. The server sends one message per row, so a batch can end after any of them: in text form as it is, in
 * binary form with a trailer, and a header before the next. Used by one thread at a time.
 */
final class CopyStream implements RowStore.RowStream {
    /** Text is exact for every type; binary is quicker, and exact between servers of one major version for types of the server itself. */
    enum Format {
        TEXT(""),
        BINARY(" (FORMAT binary)");

        private final String sql;

        Format(String sql) {
            this.sql = sql;
        }

        /** Returns binary if both servers read and write the table's columns alike in that form. */
        static Format between(Connection source, Connection target, TableShape table) throws SQLException {
            boolean alike = source.getMetaData().getDatabaseMajorVersion()
                            == target.getMetaData().getDatabaseMajorVersion()
                    && isPlain(source, table)
                    && isPlain(target, table);
            return alike ? BINARY : TEXT;
        }

        /** Own types, and the types of names such as regclass, have numbers in their binary form that mean nothing on another server. */
        private static boolean isPlain(Connection connection, TableShape table) throws SQLException {
            try (PreparedStatement query = connection.prepareStatement("""
                    select bool_and(t.oid < 16384 and t.typsend <> 0 and t.typreceive <> 0 and ltrim(t.typname, '_') not like 'reg%')
                      from pg_attribute a join pg_type t on t.oid = a.atttypid
                     where a.attrelid = to_regclass(?) and a.attnum > 0 and not a.attisdropped
                    """)) {
                query.setString(1, table.table().sql());
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        }
    }

    /** Signature, flags, length of an extension. */
    private static final byte[] HEADER = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };

    private static final byte[] TRAILER = {-1, -1};

    private final CopyOut out;
    private final String copyIn;
    private final boolean binary;
    private final IntConsumer before;
    private byte @Nullable [] next;
    private int offset;
    private long bytes;

    private CopyStream(CopyOut out, String copyIn, Format format, IntConsumer before) throws SQLException {
        this.out = out;
        this.copyIn = copyIn;
        this.binary = format == Format.BINARY;
        this.before = before;
        this.next = out.readFromCopy();
        this.offset = binary ? HEADER.length : 0;
    }

    /**
     * Opens a stream in the caller's transaction.
     *
     * @param piece rows that it brings
     * @param before is told the bytes of each row before the row goes on; may wait, or throw to end the copy
     */
    static CopyStream open(Connection source, CopyPiece piece, Format format, IntConsumer before) throws SQLException {
        TableShape table = piece.table();
        String columns = table.writableColumnsSql();
        CopyOut out = source.unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("COPY (SELECT " + columns + " FROM " + piece.from() + " WHERE " + piece.condition()
                        + ") TO STDOUT" + format.sql);
        return new CopyStream(
                out, "COPY " + table.table().sql() + " (" + columns + ") FROM STDIN" + format.sql, format, before);
    }

    @Override
    public int copy(Connection target, int limit) throws SQLException {
        byte[] row = row();
        if (row == null) {
            return 0;
        }
        CopyIn in = target.unwrap(PGConnection.class).getCopyAPI().copyIn(copyIn);
        try {
            if (binary) {
                in.writeToCopy(HEADER, 0, HEADER.length);
            }
            int rows = 0;
            while (row != null && rows < limit) {
                before.accept(row.length);
                in.writeToCopy(row, offset, row.length - offset);
                bytes += row.length;
                rows++;
                next = out.readFromCopy();
                offset = 0;
                row = row();
            }
            if (binary) {
                in.writeToCopy(TRAILER, 0, TRAILER.length);
            }
            in.endCopy();
            return rows;
        } finally {
            if (in.isActive()) {
                in.cancelCopy();
            }
        }
    }

    /** Returns the message of the next row, null at the end; in binary form the last message is the trailer, which no row begins with. */
    private byte @Nullable [] row() throws SQLException {
        byte[] message = next;
        if (binary && message != null && message[offset] == TRAILER[0] && message[offset + 1] == TRAILER[1]) {
            // After it comes the end, which must have been read before the connection can do anything else.
            next = out.readFromCopy();
            return null;
        }
        return message;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        if (out.isActive()) {
            out.cancelCopy();
        }
    }
}
