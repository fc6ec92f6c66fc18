package io.shardmap.migrate.doctor;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.migrate.doctor.ServerFacts.Owned;
import io.shardmap.migrate.doctor.ServerFacts.Session;
import io.shardmap.migrate.doctor.ServerFacts.Stream;
import io.shardmap.migrate.doctor.ServerFacts.Table;
import io.shardmap.migrate.place.ServerIdentity;
import io.shardmap.migrate.table.TableInspector;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Asks one server everything that the checks want to know. Changes nothing. */
final class FactsReader {
    private final ServerPools pools;
    private final List<ShardMap> maps;
    private final boolean lookForRows;

    FactsReader(ServerPools pools, List<ShardMap> maps, boolean lookForRows) {
        this.pools = pools;
        this.maps = maps;
        this.lookForRows = lookForRows;
    }

    ServerFacts read(Server server) {
        try (Connection connection = pools.open(server)) {
            ServerDialect dialect = pools.dialect(server);
            boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
            int objects = dialect.installedVersion(connection);
            List<Owned> ownership = objects == 0 ? List.of() : ownership(connection);
            return new ServerFacts(
                    server,
                    null,
                    objects,
                    ServerIdentity.read(connection).orElse(null),
                    String.valueOf(connection.getCatalog()),
                    ownership,
                    postgres ? streams(connection) : List.of(),
                    postgres ? sessions(connection) : List.of(),
                    tables(connection, dialect, ownership, postgres));
        } catch (SQLException | ShardMapException failure) {
            return ServerFacts.unreachable(server, String.valueOf(failure.getMessage()));
        }
    }

    private static List<Owned> ownership(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select "map_number", "virtual_shard", "epoch", "state",
                               coalesce("fenced_until" >= current_timestamp, false), "holds_copies"
                          from "shardmap"."ownership" order by "map_number", "virtual_shard"
                        """)) {
            List<Owned> rows = new ArrayList<>();
            while (row.next()) {
                rows.add(new Owned(
                        row.getInt(1),
                        row.getInt(2),
                        row.getLong(3),
                        row.getString(4),
                        row.getBoolean(5),
                        row.getBoolean(6)));
            }
            return rows;
        }
    }

    private static List<Stream> streams(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select kind, name, sql, active, kept, fault from (
                            select 'subscription', subname::text, format('alter subscription %1$I disable;'
                                   || ' alter subscription %1$I set (slot_name = none); drop subscription %1$I', subname),
                                   subenabled, 0, (select 'errors=' || apply_error_count
                                                     from pg_stat_subscription_stats s
                                                    where s.subid = u.oid and apply_error_count > 0)
                              from pg_subscription u
                             where subdbid = (select oid from pg_database where datname = current_database())
                            union all
                            select 'slot', slot_name::text, format('select pg_drop_replication_slot(%L)', slot_name),
                                   active, case when pg_is_in_recovery() then 0
                                       else coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint end,
                                   case when wal_status = 'lost' then 'slot has lost its write-ahead log' end
                              from pg_replication_slots where database = current_database()
                            union all
                            select 'publication', pubname::text, format('drop publication %I', pubname),
                                   true, 0, null from pg_publication
                        ) as parts (kind, name, sql, active, kept, fault) where starts_with(name, 'shardmap_') order by name, kind desc
                        """)) {
            List<Stream> streams = new ArrayList<>();
            while (row.next()) {
                streams.add(new Stream(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getBoolean(4),
                        row.getLong(5),
                        row.getString(6)));
            }
            return streams;
        }
    }

    /** Some seconds old: the sessions of a move that has just ended are still going away. */
    private static List<Session> sessions(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select pid, part[1]::int, part[2]::int
                          from pg_stat_activity, regexp_match(application_name, '^shardmap-mover (\\d{1,5})/(\\d{1,5}) ') part
                         where datname = current_database() and part is not null
                           and coalesce(xact_start, state_change) < clock_timestamp() - interval '5 seconds'
                        """)) {
            List<Session> sessions = new ArrayList<>();
            while (row.next()) {
                sessions.add(new Session(row.getInt(1), row.getInt(2), row.getInt(3)));
            }
            return sessions;
        }
    }

    private List<Table> tables(Connection connection, ServerDialect dialect, List<Owned> ownership, boolean postgres) {
        List<Table> tables = new ArrayList<>();
        for (ShardMap map : maps) {
            Set<Integer> owned = ownership.stream()
                    .filter(row -> row.map() == map.number() && row.isOwner())
                    .map(Owned::virtualShard)
                    .collect(Collectors.toSet());
            for (ShardedTable table : map.tables()) {
                tables.add(table(connection, dialect, map, table, owned, postgres));
            }
        }
        return tables;
    }

    private Table table(
            Connection connection,
            ServerDialect dialect,
            ShardMap map,
            ShardedTable table,
            Set<Integer> owned,
            boolean postgres) {
        try {
            boolean exists = TableInspector.of(connection)
                    .inspect(connection, table)
                    .filter(shape -> shape.column(table.shardColumn()).isPresent())
                    .isPresent();
            if (!exists) {
                return new Table(map.name(), table, false, false, List.of(), List.of(), null);
            }
            int shards = map.virtualShards().size();
            return new Table(
                    map.name(),
                    table,
                    true,
                    postgres && dialect.guarded(connection, table),
                    lookForRows ? unowned(connection, table, owned, shards, postgres) : List.of(),
                    lookForRows ? outside(connection, table, shards) : List.of(),
                    null);
        } catch (SQLException failure) {
            return new Table(map.name(), table, true, true, List.of(), List.of(), String.valueOf(failure.getMessage()));
        }
    }

    private static List<Integer> unowned(
            Connection connection, ShardedTable table, Set<Integer> owned, int shards, boolean postgres)
            throws SQLException {
        String column = table.columnSql();
        // On PostgreSQL one index look-up per virtual shard, where there is an index.
        String sql = postgres
                ? "select v from unnest(?) v where exists (select 1 from " + table.sql() + " t where t." + column
                        + " = v)"
                : "select distinct " + column + " from " + table.sql();
        Set<Integer> found = new TreeSet<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            if (postgres) {
                Object[] asked = IntStream.range(0, shards)
                        .filter(shard -> !owned.contains(shard))
                        .boxed()
                        .toArray();
                query.setArray(1, connection.createArrayOf("int4", asked));
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    long shard = row.getLong(1);
                    if (shard >= 0 && shard < shards && !owned.contains((int) shard)) {
                        found.add((int) shard);
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    private static List<Long> outside(Connection connection, ShardedTable table, int shards) throws SQLException {
        String column = table.columnSql();
        try (PreparedStatement query = connection.prepareStatement("select distinct " + column + " from " + table.sql()
                + " where " + column + " < 0 or " + column + " >= ? fetch first 5 rows only")) {
            query.setInt(1, shards);
            try (ResultSet row = query.executeQuery()) {
                List<Long> found = new ArrayList<>();
                while (row.next()) {
                    found.add(row.getLong(1));
                }
                return found;
            }
        }
    }
}
