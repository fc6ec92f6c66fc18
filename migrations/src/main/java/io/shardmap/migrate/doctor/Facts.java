package io.shardmap.migrate.doctor;

import io.shardmap.ShardMap;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import io.shardmap.migrate.place.ServerIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What everybody said, each asked once.
 *
 * @param maps all shard maps that this version can read
 * @param unreadable why it cannot read the others, by name
 * @param servers all servers
 * @param moves all moves, newest first
 * @param identities which clusters the servers were when they were added, by name
 */
record Facts(
        List<ShardMap> maps,
        Map<String, String> unreadable,
        List<ServerFacts> servers,
        List<MoveStatus> moves,
        Map<String, ServerIdentity> identities) {

    /** Returns the move that has changed, or is about to change, the ownership of a virtual shard. */
    Optional<MoveStatus> activeMove(String map, int virtualShard) {
        return moves.stream()
                .filter(move -> move.map().equals(map) && move.virtualShard() == virtualShard)
                .filter(move -> !move.state().isOver() && !isOnlyPlanned(move))
                .findFirst();
    }

    /** Recorded, and never begun: it waits for its turn. */
    static boolean isOnlyPlanned(MoveStatus move) {
        return move.state() == MoveState.PLANNED && move.lease() == 0;
    }

    /** Returns the map of a number. */
    Optional<ShardMap> map(int number) {
        return maps.stream().filter(map -> map.number() == number).findFirst();
    }

    /** Returns ascending numbers as the command takes them: {@code 0-2,9}. */
    static String ranges(List<Integer> numbers) {
        return IntStream.range(0, numbers.size())
                .filter(i -> i == 0 || numbers.get(i) != numbers.get(i - 1) + 1)
                .mapToObj(first -> {
                    int last = first;
                    while (last + 1 < numbers.size() && numbers.get(last + 1) == numbers.get(last) + 1) {
                        last++;
                    }
                    return numbers.get(first) + (last == first ? "" : "-" + numbers.get(last));
                })
                .collect(Collectors.joining(","));
    }
}
