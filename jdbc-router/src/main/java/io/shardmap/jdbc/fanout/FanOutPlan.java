package io.shardmap.jdbc.fanout;

import io.shardmap.ShardedTable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a fan-out does for one query text and one generation of a map: the very object that {@link FanOut#explain} returns is executed.
 * Immutable.
 */
public sealed interface FanOutPlan {

    /** Returns the query as the caller wrote it. */
    String sql();

    /** Returns the plan for people: each server's query, the filter and the steps of the merge, or why it is refused. */
    String describe();

    /**
     * What a plan that can run is made for.
     *
     * @param sql the query as the caller wrote it
     * @param map name of the map
     * @param generation generation of the map
     * @param table the sharded table that is read
     * @param servers names of the servers that the map's generation places virtual shards on, in order
     */
    record Scope(String sql, String map, long generation, ShardedTable table, List<String> servers) {}

    /** A plan that can run. */
    sealed interface Ready extends FanOutPlan {
        /** Returns what it is made for. */
        Scope scope();

        /** Returns the query of each server. */
        ServerQuery query();

        /** Returns LIMIT and OFFSET. */
        RowLimit limit();

        /** Returns the steps of the merge for people. */
        String merge();

        @Override
        default String sql() {
            return scope().sql();
        }

        @Override
        default String describe() {
            return PlanDescription.of(this);
        }

        /** Returns how many parameters the caller must give. */
        default int parameters() {
            int highest = query().parameters();
            for (RowLimit.Operand operand : List.of(limit().limit(), limit().offset())) {
                if (operand instanceof RowLimit.Parameter parameter) {
                    highest = Math.max(highest, parameter.index());
                }
            }
            return highest;
        }
    }

    /**
     * Rows of one server after the other, in no order.
     *
     * @param scope what it is made for
     * @param query the query of each server
     * @param limit LIMIT and OFFSET
     */
    record Concatenation(Scope scope, ServerQuery query, RowLimit limit) implements Ready {
        @Override
        public String merge() {
            return "concatenate the rows of all servers";
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    /**
     * Sorted rows of all servers, merged.
     *
     * @param scope what it is made for
     * @param query the query of each server
     * @param keys the keys of ORDER BY
     * @param limit LIMIT and OFFSET
     */
    record SortedMerge(Scope scope, ServerQuery query, List<SortKey> keys, RowLimit limit) implements Ready {
        @Override
        public String merge() {
            String step = "merge the sorted rows of all servers by "
                    + keys.stream().map(SortKey::toString).collect(Collectors.joining(", "));
            return hiddenColumns() == 0 ? step : step + "; then drop the hidden columns";
        }

        int hiddenColumns() {
            return keys.stream().mapToInt(SortKey::hidden).max().orElse(0);
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    /**
     * One number: the sum of all servers' counts.
     *
     * @param scope what it is made for
     * @param query the query of each server
     */
    record CountSum(Scope scope, ServerQuery query) implements Ready {
        @Override
        public RowLimit limit() {
            return RowLimit.NONE;
        }

        @Override
        public String merge() {
            return "add up the counts of all servers";
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    /**
     * The query is not run: no merge would give the answer of one database, or this version does not know it.
     *
     * @param sql the query as the caller wrote it
     * @param construct what in it is refused
     * @param advice what to do instead
     */
    record Refusal(String sql, String construct, String advice) implements FanOutPlan {
        @Override
        public String describe() {
            return "fan-out must give the answer of one database: refused=" + construct + "; " + advice;
        }

        @Override
        public String toString() {
            return describe();
        }
    }
}
