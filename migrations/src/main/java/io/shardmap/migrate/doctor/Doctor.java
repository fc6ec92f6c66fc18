package io.shardmap.migrate.doctor;

import io.shardmap.ShardMap;
import io.shardmap.UnsupportedShardMapException;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.migrate.move.MoveId;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.move.Moves;
import io.shardmap.migrate.place.ServerIdentity;
import io.shardmap.store.JdbcShardMapStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks for everything that does not fit together: what the map says, what the servers say, and what moves left behind. Changes nothing.
 * Safe for use by many threads.
 */
public final class Doctor {
    private static final int MOST_ATTEMPTS = 5;

    private static final List<Check> CHECKS = List.of(
            new ServerCheck(),
            new OwnershipCheck(),
            new MoveCheck(),
            new WayBackCheck(),
            new LeftoverCheck(),
            new TableCheck());

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
        Picture picture = look(lookForRows);
        List<Finding> findings = findings(picture);
        for (int attempt = 2; !picture.still() && attempt <= MOST_ATTEMPTS; attempt++) {
            List<Finding> before = findings;
            picture = look(lookForRows);
            findings = findings(picture);
            if (!picture.still()) {
                // Moves come and go all the time: what is seen twice in a row is none of their doing.
                findings.retainAll(before);
            }
        }
        return new Examination(
                picture.facts().maps().stream().map(ShardMap::name).toList(),
                picture.facts().servers().stream().map(ServerFacts::name).toList(),
                findings);
    }

    private static List<Finding> findings(Picture picture) {
        List<Finding> findings = new ArrayList<>();
        CHECKS.forEach(check -> findings.addAll(check.findings(picture.facts())));
        return findings;
    }

    /** Whether nothing changed while everybody was asked; else it may show what never was. */
    private record Picture(Facts facts, boolean still) {}

    private Picture look(boolean lookForRows) {
        Moves moves = Moves.of(store, pools);
        Map<String, Long> generations = store.generations();
        List<MoveStatus> known = moves.list();
        List<ShardMap> maps = new ArrayList<>();
        Map<String, String> unreadable = new TreeMap<>();
        for (String name : generations.keySet()) {
            try {
                maps.add(store.load(name));
            } catch (UnsupportedShardMapException newer) {
                unreadable.put(name, String.valueOf(newer.getMessage()));
            }
        }
        FactsReader reader = new FactsReader(pools, maps, lookForRows);
        List<ServerFacts> said = store.servers().stream().map(reader::read).toList();
        Facts facts = new Facts(maps, unreadable, said, known, ServerIdentity.remembered(store));
        return new Picture(
                facts, generations.equals(store.generations()) && active(known).equals(active(moves.list())));
    }

    /** A move that is not over; what is at work changes all the time, what waits should not. */
    private record Active(MoveId id, boolean waiting) {}

    private static List<Active> active(List<MoveStatus> moves) {
        return moves.stream()
                .filter(move -> !move.state().isOver() && !Facts.isOnlyPlanned(move))
                .map(move -> new Active(move.id(), move.state().isWaiting()))
                .toList();
    }
}
