package io.shardmap.migrate.move;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What every server says of one virtual shard, and what has to be done so that they agree with the map. */
record RepairSurvey(ShardMap map, VirtualShard shard, Place place, Map<Server, Found> found) {
    private static final Duration LOCK_WAIT = Duration.ofMinutes(1);

    /** What one server says. */
    record Found(Ownership ownership, long token, boolean rows) {}

    /** Asks every server; all must answer. */
    static RepairSurvey of(ServerPools pools, List<Server> servers, ShardMap map, int virtualShard) {
        Place place = new Place(map.name(), map.number(), virtualShard);
        Map<Server, Found> found = new LinkedHashMap<>();
        for (Server server : servers) {
            try (MoverSession session = MoverSession.open(pools, server, place, 0, LOCK_WAIT)) {
                found.put(
                        server,
                        session.unchecked(
                                "look",
                                (on, dialect) -> new Found(
                                        dialect.ownership(on, place),
                                        dialect.token(on, place),
                                        hasRows(on, shapes(map, on), virtualShard))));
            }
        }
        return new RepairSurvey(map, map.virtualShards().get(virtualShard), place, found);
    }

    static List<TableShape> shapes(ShardMap map, Connection on) throws SQLException {
        List<TableShape> shapes = new ArrayList<>();
        for (ShardedTable table : map.tables()) {
            TableInspector.of(on).inspect(on, table).ifPresent(shapes::add);
        }
        return shapes;
    }

    static boolean hasRows(Connection on, List<TableShape> shapes, int virtualShard) throws SQLException {
        for (TableShape table : shapes) {
            if (RowStore.of(on).any(on, table, virtualShard)) {
                return true;
            }
        }
        return false;
    }

    boolean isOwner(Server server) {
        return server.name().equals(shard.server());
    }

    long highestEpoch() {
        return Math.max(
                shard.epoch(),
                found.values().stream()
                        .mapToLong(one -> one.ownership().epoch())
                        .max()
                        .orElse(0));
    }

    long highestToken() {
        return found.values().stream().mapToLong(Found::token).max().orElse(0);
    }

    /** Returns what has to be done, one sentence each. */
    List<String> changes(boolean removeCopies) {
        List<String> changes = new ArrayList<>();
        if (shard.state() == VirtualShard.State.ASSIGNING) {
            changes.add("map: complete the assignment to " + shard.server());
        }
        if (shard.server() != null && highestEpoch() > shard.epoch()) {
            changes.add("map: raise the epoch above " + highestEpoch() + ", which a server has seen");
        }
        found.forEach((server, one) -> changes(server, one, removeCopies, changes));
        return changes;
    }

    private void changes(Server server, Found one, boolean removeCopies, List<String> changes) {
        Ownership row = one.ownership();
        String where = "server " + server.name() + ": ";
        String was = row.state() + " at epoch " + row.epoch();
        if (isOwner(server)) {
            if (row.state() != Ownership.State.OPEN || row.epoch() != shard.epoch() || row.holdsCopies()) {
                changes.add(where + "open it, was " + was);
            }
            return;
        }
        if (!row.isClosed()) {
            changes.add(where + "close it, was " + was);
        } else if (row.holdsCopies() != one.rows()) {
            changes.add(where + (one.rows() ? "mark its rows as copies" : "say that it holds no copies"));
        }
        if (removeCopies && one.rows()) {
            changes.add(where + "remove its rows");
        }
    }
}
