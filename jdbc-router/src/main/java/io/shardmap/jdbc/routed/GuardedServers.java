package io.shardmap.jdbc.routed;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.server.ServerDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which servers refuse misplaced writes themselves, asked once per server and generation of the map. */
final class GuardedServers {
    private record Asked(long generation, boolean guarded) {}

    private record Place(String map, Server server) {}

    private final Map<Place, Asked> asked = new ConcurrentHashMap<>();

    /** Returns whether every sharded table of the map has its guard on the server; false when the map registers no table. */
    boolean guarded(ShardMap map, Server server, ServerDialect dialect, Connection physical) throws SQLException {
        Place place = new Place(map.name(), server);
        Asked last = asked.get(place);
        if (last == null || last.generation() != map.generation()) {
            boolean guarded = !map.tables().isEmpty();
            for (ShardedTable table : map.tables()) {
                guarded = guarded && dialect.guarded(physical, table);
            }
            last = new Asked(map.generation(), guarded);
            asked.put(place, last);
        }
        return last.guarded();
    }
}
