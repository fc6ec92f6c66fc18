package io.shardmap.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * Gives a copied data directory an identity of its own, as {@code initdb} would have done: software that compares
 * {@code pg_control_system().system_identifier} must see N servers, not one.
 *
 * <p>The identifier stands in the first eight bytes of {@code global/pg_control}, whose checksum (CRC-32C of all
 * before it) is written anew, and in the long header of each write-ahead log segment, 24 bytes from its start, outside
 * of any checksum. Where the checksum stands differs by version, so it is found: it is the first word that is the
 * checksum of the bytes before it. Source: {@code ControlFileData} in pg_control.h and {@code XLogLongPageHeaderData}
 * in xlog_internal.h, PostgreSQL 15 to 18.
 */
final class SystemIdentifier {
    private static final int SEGMENT_HEADER_OFFSET = 24;
    private static final int SHORTEST_CONTROL_DATA = 128;
    private static final int LONGEST_CONTROL_DATA = 512;

    private SystemIdentifier() {}

    /** Changes the identifier of a data directory whose server was shut down in order. */
    static void assignNew(Path dataDirectory) throws IOException {
        long identifier = ThreadLocalRandom.current().nextLong(1L << 60, 1L << 62);
        Path controlFile = dataDirectory.resolve("global").resolve("pg_control");
        byte[] bytes = Files.readAllBytes(controlFile);
        ByteBuffer control = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        int checksumOffset = checksumOffset(bytes, control);
        control.putLong(0, identifier);
        control.putInt(checksumOffset, checksum(bytes, checksumOffset));
        Files.write(controlFile, bytes);
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(dataDirectory.resolve("pg_wal"), "[0-9A-F]*")) {
            for (Path segment : segments) {
                writeSegmentHeader(segment, identifier);
            }
        }
    }

    private static void writeSegmentHeader(Path segment, long identifier) throws IOException {
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(identifier)
                .flip();
        try (var file = Files.newByteChannel(segment, StandardOpenOption.WRITE)) {
            file.position(SEGMENT_HEADER_OFFSET);
            while (value.hasRemaining()) {
                file.write(value);
            }
        }
    }

    private static int checksumOffset(byte[] bytes, ByteBuffer control) throws IOException {
        for (int offset = SHORTEST_CONTROL_DATA; offset <= LONGEST_CONTROL_DATA; offset += Integer.BYTES) {
            if (control.getInt(offset) == checksum(bytes, offset)) {
                return offset;
            }
        }
        throw new IOException("the control file must contain its checksum: version not supported");
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
