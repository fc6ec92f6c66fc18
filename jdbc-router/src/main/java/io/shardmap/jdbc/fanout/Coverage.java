package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.server.OwnershipRow;
import java.util.ArrayList;
import java.util.List;

/**
 * What the servers' ownership rows add up to.
 *
 * @param missing virtual shards that no server owns
 * @param doubled virtual shards that several servers own
 * @param unknown virtual shards that a server owns and the map does not have
 */
record Coverage(List<Integer> missing, List<Integer> doubled, List<Integer> unknown) {

    /**
     * Adds up.
     *
     * @param virtualShards how many virtual shards the map has
     * @param ownership the rows of each server
     */
    static Coverage of(int virtualShards, Iterable<List<OwnershipRow>> ownership) {
        int[] owners = new int[virtualShards];
        List<Integer> unknown = new ArrayList<>();
        for (List<OwnershipRow> server : ownership) {
            for (OwnershipRow row : server) {
                if (!row.owned()) {
                    continue;
                }
                if (row.virtualShard() >= 0 && row.virtualShard() < virtualShards) {
                    owners[row.virtualShard()]++;
                } else {
                    unknown.add(row.virtualShard());
                }
            }
        }
        List<Integer> missing = new ArrayList<>();
        List<Integer> doubled = new ArrayList<>();
        for (int id = 0; id < virtualShards; id++) {
            if (owners[id] == 0) {
                missing.add(id);
            } else if (owners[id] > 1) {
                doubled.add(id);
            }
        }
        return new Coverage(missing, doubled, unknown);
    }

    /** Returns the same without missing virtual shards that a caller accepts to miss. */
    Coverage excusing(List<Integer> accepted) {
        return new Coverage(
                missing.stream().filter(id -> !accepted.contains(id)).toList(), doubled, unknown);
    }

    boolean isExact() {
        return missing.isEmpty() && doubled.isEmpty() && unknown.isEmpty();
    }

    String describe() {
        return "missing=" + missing + ", doubled=" + doubled + (unknown.isEmpty() ? "" : ", unknown=" + unknown);
    }
}
