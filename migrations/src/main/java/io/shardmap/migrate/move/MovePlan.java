package io.shardmap.migrate.move;

import io.shardmap.migrate.table.TableShape;
import java.util.List;

/**
 * What a move would do, and what is in its way. {@link Moves#start} executes this very object.
 *
 * @param map name of the map
 * @param virtualShard number of the virtual shard
 * @param source server that holds it, empty when none does
 * @param target server it shall go to
 * @param epoch its epoch now
 * @param tables its tables, parents first by foreign keys
 * @param problems everything that is in the way, empty when the move can start
 * @param notes what whoever starts the move should know, though it is not in the way
 */
public record MovePlan(
        String map,
        int virtualShard,
        String source,
        String target,
        long epoch,
        List<TableShape> tables,
        List<PreflightProblem> problems,
        List<String> notes) {

    /** Copies the lists. */
    public MovePlan {
        tables = List.copyOf(tables);
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    @Override
    public String toString() {
        return map + "/" + virtualShard + " " + source + " -> " + target + " at epoch " + epoch;
    }
}
