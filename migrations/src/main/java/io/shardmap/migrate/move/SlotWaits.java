package io.shardmap.migrate.move;

import io.shardmap.migrate.move.PreflightProblem.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a new slot would wait for: it needs the end of every transaction that writes anywhere on the server when it is made. */
final class SlotWaits {
    private SlotWaits() {}

    /**
     * Returns a problem for each kind of transaction that is not likely to end in time.
     *
     * @param wait how long a slot is waited for; whoever has been writing for longer may go on
     */
    static List<PreflightProblem> look(String server, Connection connection, Duration wait) throws SQLException {
        List<PreflightProblem> problems = new ArrayList<>();
        String prepared = text(connection, """
                select string_agg(gid || ' (' || date_trunc('second', clock_timestamp() - prepared) || ')', ', ' order by prepared)
                  from pg_prepared_xacts
                """, null);
        if (prepared != null) {
            problems.add(new PreflightProblem(
                    Kind.PREPARED_TRANSACTION,
                    "no prepared transaction may be open on the source, for a slot waits for it: server=" + server
                            + ", transactions=" + prepared + "; commit or roll them back"));
        }
        // What other roles run is seen by those who may: pg_read_all_stats.
        String writing = text(connection, """
                select string_agg('pid=' || pid || ' (' || usename || ', ' || date_trunc('second', clock_timestamp() - xact_start) || ')',
                           ', ' order by xact_start)
                  from pg_stat_activity
                 where backend_xid is not null and pid <> pg_backend_pid()
                   and xact_start < clock_timestamp() - ? * interval '1 millisecond'
                """, wait);
        if (writing != null) {
            problems.add(new PreflightProblem(
                    Kind.LONG_TRANSACTION,
                    "no transaction may have been writing on the source for longer than a slot is waited for: server="
                            + server + ", waits=" + wait + ", transactions=" + writing
                            + "; wait for them, or end them with pg_terminate_backend"));
        }
        return problems;
    }

    private static @Nullable String text(Connection connection, String sql, @Nullable Duration wait)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            if (wait != null) {
                query.setLong(1, wait.toMillis());
            }
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
