package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Looks for sequences that could give, on the target, what they have given on the source. Changes nothing. */
final class SequencesPreflight {
    private SequencesPreflight() {}

    static List<PreflightProblem> look(ShardedTable table, Server source, Connection from, Server target, Connection to)
            throws SQLException {
        List<PreflightProblem> problems = new ArrayList<>();
        Map<String, ColumnSequence> here = ColumnSequence.of(from, table);
        Map<String, ColumnSequence> there = ColumnSequence.of(to, table);
        TreeSet<String> columns = new TreeSet<>(here.keySet());
        columns.addAll(there.keySet());
        for (String column : columns) {
            ColumnSequence one = here.get(column);
            ColumnSequence other = there.get(column);
            String fault;
            if (one == null || other == null) {
                fault = "column must take its values from a sequence on both servers, or on none: source="
                        + (one == null ? "none" : one.name()) + ", target=" + (other == null ? "none" : other.name())
                        + "; alter table ... alter column ... set default";
            } else if (other.endsBefore(one)) {
                fault = "sequence of the target must not end before the values that the source has given: sequence="
                        + other.name() + ", given=" + one.last()
                        + "; alter sequence ... maxvalue (minvalue if it descends)";
            } else {
                fault = other.fault(one);
            }
            if (fault != null) {
                problems.add(new PreflightProblem(
                        Kind.SEQUENCE,
                        fault + ", for " + table.qualifiedName() + "." + column + " on " + target.name()));
            }
        }
        unknown(table, source, from, problems);
        unknown(table, target, to, problems);
        return problems;
    }

    /** A sequence that is looked up by name at each use cannot be known before. */
    private static void unknown(
            ShardedTable table, Server server, Connection connection, List<PreflightProblem> problems)
            throws SQLException {
        String columns;
        try (PreparedStatement query = connection.prepareStatement("""
                select string_agg(a.attname, ', ') from pg_attribute a
                  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                  left join pg_type t on t.oid = a.atttypid and t.typtype = 'd'
                 where a.attrelid = to_regclass(?) and a.attnum > 0 and not a.attisdropped
                   and concat(pg_get_expr(d.adbin, d.adrelid), ' ', pg_get_expr(t.typdefaultbin, 0)) ~ 'nextval\\(\\(.*::text'
                """)) {
            query.setString(1, table.sql());
            try (ResultSet row = query.executeQuery()) {
                row.next();
                columns = row.getString(1);
            }
        }
        if (columns != null) {
            problems.add(new PreflightProblem(
                    Kind.SEQUENCE,
                    "default must name its sequence as regclass, or it cannot be advanced: server=" + server.name()
                            + ", column=" + table.qualifiedName() + "." + columns
                            + "; alter table ... set default nextval('...'::regclass)"));
        }
    }
}
