package io.shardmap.migrate.changes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the output plugin {@code pgoutput} sends, as far as it says which rows changed. The format is that of protocol version 1,
 * <a href="https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html">Logical Replication Message Formats</a>.
 * Used by one thread.
 */
final class ChangeMessages {
    /** Hears what was read, in the order of the log. */
    interface Sink {
        /** A row changed; the transaction is committed. */
        void row(ChangedRow row, int transaction);

        /** A row changed in a table whose rows have no key; {@code table} is its full name. */
        void rowWithoutKey(String table);

        /** All of a transaction was told; its commit ends at this position of the log. */
        void committed(long end);
    }

    private static final byte PART_OF_KEY = 1;

    /** A table as the publisher described it before its first change. */
    private record Relation(String name, List<String> columns, List<Integer> keys, boolean keyed) {}

    private final Sink sink;
    private final Map<String, String> partitions;
    private final Map<Integer, Relation> relations = new HashMap<>();
    private int transaction;

    /**
     * Creates a reader.
     *
     * @param partitions full names of tables by those of their partitions
     */
    ChangeMessages(Sink sink, Map<String, String> partitions) {
        this.sink = sink;
        this.partitions = partitions;
    }

    /** Reads one message; kinds that say nothing about rows are passed over. */
    void read(ByteBuffer message) {
        char kind = (char) message.get();
        switch (kind) {
            case 'B' -> {
                message.getLong(); // where it commits
                message.getLong(); // when
                transaction = message.getInt();
            }
            case 'C' -> {
                message.get(); // flags
                message.getLong(); // where it commits
                sink.committed(message.getLong());
            }
            case 'R' -> relation(message);
            case 'I', 'U', 'D' -> change(message);
            default -> {}
        }
    }

    private void relation(ByteBuffer message) {
        int id = message.getInt();
        String schema = text(message);
        String name = text(message);
        char identity = (char) message.get();
        int count = message.getShort();
        List<String> columns = new ArrayList<>();
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean key = (message.get() & PART_OF_KEY) != 0;
            columns.add(text(message));
            message.getInt(); // type
            message.getInt(); // its modifier
            if (key) {
                keys.add(i);
            }
        }
        // Under FULL every column is part of the identity, but two rows may be the same.
        boolean keyed = (identity == 'd' || identity == 'i') && !keys.isEmpty();
        List<String> names = keys.stream().map(columns::get).toList();
        String fullName = (schema.isEmpty() ? "pg_catalog" : schema) + "." + name;
        relations.put(id, new Relation(partitions.getOrDefault(fullName, fullName), names, keys, keyed));
    }

    private void change(ByteBuffer message) {
        int id = message.getInt();
        Relation relation = relations.get(id);
        if (relation == null) {
            throw new IllegalStateException("publisher must describe a table before its changes: relation=" + id);
        }
        if (!relation.keyed) {
            sink.rowWithoutKey(relation.name);
            return;
        }
        // An update sends the old key before the new row when it changed.
        while (message.hasRemaining()) {
            message.get(); // old key, old row or new row
            sink.row(new ChangedRow(relation.name, relation.columns, key(message, relation.keys)), transaction);
        }
    }

    private static List<String> key(ByteBuffer message, List<Integer> keys) {
        int count = message.getShort();
        List<@Nullable String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            char kind = (char) message.get();
            values.add(kind == 't' ? text(message, message.getInt()) : null);
        }
        List<String> key = new ArrayList<>(keys.size());
        for (int place : keys) {
            String value = values.get(place);
            if (value == null) {
                throw new IllegalStateException("publisher must send the columns of the key: column=" + place);
            }
            key.add(value);
        }
        return key;
    }

    private static String text(ByteBuffer message, int length) {
        byte[] bytes = new byte[length];
        message.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String text(ByteBuffer message) {
        int start = message.position();
        int length = 0;
        while (message.get(start + length) != 0) {
            length++;
        }
        String text = text(message, length);
        message.get(); // the end
        return text;
    }
}
