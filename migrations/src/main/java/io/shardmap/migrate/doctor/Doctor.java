package io.shardmap.migrate.doctor;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.place.ServerIdentity;
import io.shardmap.store.JdbcShardMapStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Looks for everything that does not fit together: what the map says, what the servers say, and what moves left behind. Changes nothing.
 * Safe for use by many threads.
 */
public final class Doctor {
    /** Ownership that changes while everybody is asked makes a picture that never was: then everybody is asked again. */
    private static final int MOST_ATTEMPTS = 5;

    private static final List<Check> CHECKS =
            List.of(new ServerCheck(), new OwnershipCheck(), new MoveCheck(), new LeftoverCheck(), new TableCheck());

    private final JdbcShardMapStore store;
    private final ServerPools pools;

    /**
     * Creates the doctor.
     *
     * @param store the shard-map database; read-only credentials are enough
     * @param pools connections to the servers, as a role that sees the sharded tables
     */
    public Doctor(JdbcShardMapStore store, ServerPools pools) {
        this.store = store;
        this.pools = pools;
    }

    /**
     * What was looked at, and what was found.
     *
     * @param maps names of the maps
     * @param servers names of the servers
     * @param findings what is not as it should be, in the order in which it is best mended; empty when all is well
     */
    public record Examination(List<String> maps, List<String> servers, List<Finding> findings) {
        /** Copies the lists. */
        public Examination {
            maps = List.copyOf(maps);
            servers = List.copyOf(servers);
            findings = List.copyOf(findings);
        }
    }

    /**
     * Examines everything.
     *
     * @param lookForRows whether to look into the sharded tables for rows that do not belong there: one index look-up per virtual shard,
     *     or a scan of a table that has no index on its shard column
     * @throws io.shardmap.StoreUnavailableException when the shard-map database does not answer
     */
    public Examination examine(boolean lookForRows) {
        Facts facts = facts(lookForRows);
        List<Finding> findings = new ArrayList<>();
        CHECKS.forEach(check -> findings.addAll(check.findings(facts)));
        return new Examination(
                facts.maps().stream().map(ShardMap::name).toList(),
                facts.servers().stream().map(ServerFacts::name).toList(),
                findings);
    }

    private Facts facts(boolean lookForRows) {
        Moves moves = Moves.of(store, pools);
        for (int attempt = 1; ; attempt++) {
            List<ShardMap> maps = store.mapNames().stream().map(store::load).toList();
            List<MoveStatus> known = moves.list();
            List<Server> servers = store.servers();
            FactsReader reader = new FactsReader(pools, maps, lookForRows);
            List<ServerFacts> said = servers.stream().map(reader::read).toList();
            Map<String, Long> generations =
                    maps.stream().collect(Collectors.toMap(ShardMap::name, ShardMap::generation));
            boolean still =
                    generations.equals(store.generations()) && active(known).equals(active(moves.list()));
            if (still || attempt == MOST_ATTEMPTS) {
                return new Facts(maps, said, known, ServerIdentity.remembered(store));
            }
        }
    }

    private static List<MoveId> active(List<MoveStatus> moves) {
        return moves.stream()
                .filter(move -> !move.state().isOver())
                .map(MoveStatus::id)
                .toList();
    }
}
