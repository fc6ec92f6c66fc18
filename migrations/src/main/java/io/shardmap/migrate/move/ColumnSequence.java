package io.shardmap.migrate.move;

import io.shardmap.ShardedTable;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sequence that a column takes its values from: it owns it, is an identity, or has it in its default or its domain's.
 *
 * @param name the sequence's name as SQL
 * @param last its last value
 * @param called whether that value was given, and is not the next one
 */
record ColumnSequence(String name, long increment, long least, long most, boolean cycles, long last, boolean called) {
    /** Keeps a sequence above values taken while it is being advanced. */
    private static final BigInteger MARGIN = BigInteger.valueOf(1_000);

    /** By column; those of partitions have the partition's name in front. */
    private static final String READ = """
            select case when t.level = 0 then '' else t.relid::regclass || '.' end || a.attname as place, q.seqrelid::regclass::text,
                   q.seqincrement, q.seqmin, q.seqmax, q.seqcycle
              from (select to_regclass(?)::oid as relid, 0 as level
                    union select relid::oid, level from pg_partition_tree(to_regclass(?)) where level > 0) t
              join pg_attribute a on a.attrelid = t.relid and a.attnum > 0 and not a.attisdropped
              join lateral (
                    select d.refobjid from pg_attrdef f
                      join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
                     where f.adrelid = a.attrelid and f.adnum = a.attnum
                    union select d.objid from pg_depend d
                     where d.refclassid = 'pg_class'::regclass and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
                       and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
                    union select d.refobjid from pg_depend d
                     where d.classid = 'pg_type'::regclass and d.objid = a.atttypid and d.refclassid = 'pg_class'::regclass
                   ) used (oid) on true
              join pg_sequence q on q.seqrelid = used.oid
             order by 1, 2
            """;

    /** Returns them by column, as they are now. */
    static Map<String, ColumnSequence> of(Connection connection, ShardedTable table) throws SQLException {
        Map<String, ColumnSequence> sequences = new TreeMap<>();
        try (PreparedStatement query = connection.prepareStatement(READ)) {
            query.setString(1, table.sql());
            query.setString(2, table.sql());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    String place = row.getString(1);
                    // A column may take values from several.
                    while (sequences.containsKey(place)) {
                        place += "+";
                    }
                    sequences.put(
                            place,
                            new ColumnSequence(
                                    row.getString(2),
                                    row.getLong(3),
                                    row.getLong(4),
                                    row.getLong(5),
                                    row.getBoolean(6),
                                    0,
                                    false));
                }
            }
        }
        List<ColumnSequence> now = now(connection, List.copyOf(sequences.values()));
        int next = 0;
        for (Map.Entry<String, ColumnSequence> column : sequences.entrySet()) {
            column.setValue(now.get(next++));
        }
        return sequences;
    }

    /** Returns them with the values of now, in the same order; in one round trip, because writers wait for it. */
    static List<ColumnSequence> now(Connection connection, List<ColumnSequence> sequences) throws SQLException {
        if (sequences.isEmpty()) {
            return sequences;
        }
        StringJoiner sql = new StringJoiner(" union all ", "", " order by place");
        for (int place = 0; place < sequences.size(); place++) {
            sql.add("select last_value, is_called, " + place + " as place from " + sequences.get(place).name);
        }
        List<ColumnSequence> now = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(sql.toString());
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                ColumnSequence known = sequences.get(now.size());
                now.add(new ColumnSequence(
                        known.name,
                        known.increment,
                        known.least,
                        known.most,
                        known.cycles,
                        row.getLong(1),
                        row.getBoolean(2)));
            }
        }
        return now;
    }

    private boolean ascends() {
        return increment > 0;
    }

    /** Returns what keeps this sequence of a target from staying beyond that of the source, with the way out; null when nothing does. */
    @Nullable
    String fault(ColumnSequence source) {
        if (cycles || source.cycles) {
            return "sequence must not cycle, or it gives values again: sequence=" + name
                    + "; alter sequence ... no cycle on both servers";
        }
        if (ascends() != source.ascends()) {
            return "sequence must go the same way on both servers: sequence=" + name + ", increment=" + increment
                    + ", on the source=" + source.increment + "; alter sequence ... increment";
        }
        return null;
    }

    /** Returns whether the target's sequence ends before the values that the source's has given already. */
    boolean endsBefore(ColumnSequence source) {
        return source.called && (ascends() ? most < source.last : least > source.last);
    }

    /**
     * Returns what this sequence must be set to, as its last value, so that it gives nothing that another one has given; empty when it is
     * beyond that already. It stays on its own steps, for servers may take turns, and within its bounds: at its end it gives nothing more.
     */
    OptionalLong beyond(ColumnSequence source) {
        if (ascends() ? last > source.last : last < source.last) {
            return OptionalLong.empty();
        }
        BigInteger step = BigInteger.valueOf(increment);
        BigInteger end = BigInteger.valueOf(ascends() ? most : least);
        BigInteger used = BigInteger.valueOf(source.last);
        BigInteger room = end.subtract(used);
        BigInteger margin = step.multiply(MARGIN);
        BigInteger half = room.divide(BigInteger.TWO);
        BigInteger wanted = used.add(margin.abs().compareTo(half.abs()) < 0 ? margin : half);
        BigInteger[] steps = wanted.subtract(BigInteger.valueOf(last)).divideAndRemainder(step);
        BigInteger whole = steps[1].signum() == 0 ? steps[0] : steps[0].add(BigInteger.ONE);
        BigInteger value = BigInteger.valueOf(last).add(whole.multiply(step));
        boolean past =
                room.signum() * step.signum() < 0 || (ascends() ? value.compareTo(end) > 0 : value.compareTo(end) < 0);
        return OptionalLong.of((past ? end : value).longValueExact());
    }
}
