package io.shardmap.migrate.doctor;

import io.shardmap.ShardMap;
import io.shardmap.migrate.doctor.Finding.Rule;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import java.util.ArrayList;
import java.util.List;

/** Moves that nobody works on. Resuming one heals whatever it left on the servers. */
final class MoveCheck implements Check {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        for (MoveStatus move : facts.moves()) {
            if (!move.isOrphaned() || Facts.isOnlyPlanned(move)) {
                continue;
            }
            boolean between = move.state() == MoveState.SWITCHED || move.state() == MoveState.SWITCHED_BACK;
            boolean closed = between && isClosed(facts, move);
            String found = move.state() + " from " + move.source() + " to " + move.target() + ", lease ran out at "
                    + move.leaseUntil() + (move.error() == null ? "" : ", error: " + move.error());
            boolean reversing = move.state() == MoveState.REVERSING;
            boolean onlyOnward = (move.state().isSwitched() && !reversing) || move.state() == MoveState.ABORTING;
            findings.add(new Finding(
                    closed ? Rule.SHARD_CLOSED : Rule.STALLED_MOVE,
                    "move " + move.id() + " of " + move.shard(),
                    List.of(move.virtualShard()),
                    found + (closed ? "; nobody is served until it goes on" : ""),
                    "shardmap move resume " + move.id()
                            + (onlyOnward
                                    ? ""
                                    : (reversing ? ", or to stay: " : ", or to go back: ") + "shardmap move cancel "
                                            + move.id())));
        }
        return findings;
    }

    private static boolean isClosed(Facts facts, MoveStatus move) {
        int number = facts.maps().stream()
                .filter(map -> map.name().equals(move.map()))
                .mapToInt(ShardMap::number)
                .findFirst()
                .orElse(-1);
        return facts.servers().stream()
                .flatMap(server -> server.ownership().stream())
                .noneMatch(row -> row.map() == number && row.virtualShard() == move.virtualShard() && row.isOwner());
    }
}
