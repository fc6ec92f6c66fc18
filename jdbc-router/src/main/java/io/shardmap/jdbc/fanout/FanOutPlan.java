package io.shardmap.jdbc.fanout;

import io.shardmap.ShardedTable;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

        /**
         * Returns the expressions over the table's columns whose order and equality the merge relies on. Only the servers know whether they
         * are those of Java, so they are asked when the plan runs; if they are not, the plan is not run.
         */
        default List<String> ordered() {
            return List.of();
        }

        @Override
        default String sql() {
            return scope().sql();
        }

        @Override
        default String describe() {
            return PlanDescription.of(this);
        }

        /** Returns whether the answer is one row, however many rows the tables have. */
        default boolean givesOneRow() {
            return false;
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

        @Override
        public List<String> ordered() {
            return keys.stream().map(SortKey::expression).toList();
        }

        int hiddenColumns() {
            return SortKey.hiddenColumns(keys);
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    /**
     * Groups of all servers, merged: each server gives a row per group, sorted by all group keys, and rows of one group become one. Without
     * keys there is one group.
     *
     * @param scope what it is made for
     * @param query the query of each server
     * @param keys the group keys in the order of the result
     * @param columns how each column of the result is made of the servers' ones
     * @param limit LIMIT and OFFSET
     */
    record GroupedMerge(Scope scope, ServerQuery query, List<SortKey> keys, List<MergedColumn> columns, RowLimit limit)
            implements Ready {
        @Override
        public List<String> ordered() {
            return Stream.concat(
                            keys.stream().map(SortKey::expression),
                            columns.stream().flatMap(column -> Stream.ofNullable(column.argument())))
                    .toList();
        }

        @Override
        public String merge() {
            String groups = keys.isEmpty()
                    ? "merge the one row of each server"
                    : "merge the groups of all servers by "
                            + keys.stream().map(SortKey::toString).collect(Collectors.joining(", "));
            return groups + ": " + columns.stream().map(MergedColumn::toString).collect(Collectors.joining(", "));
        }

        @Override
        public boolean givesOneRow() {
            return keys.isEmpty();
        }

        int hiddenColumns() {
            return SortKey.hiddenColumns(keys);
        }

        /** Refuses types whose sum depends on the order of adding or is not a number. */
        void requireSums(List<SortType> types) throws UnprovableOrder {
            int type = keys.size();
            for (MergedColumn column : columns) {
                String argument = column.argument();
                if (argument != null) {
                    SortType ofArgument = types.get(type++);
                    if (column.step() == MergedColumn.Step.SUM
                            && ofArgument != SortType.INTEGER
                            && ofArgument != SortType.NUMERIC) {
                        throw new UnprovableOrder("fan-out must give the sum of one database: refused=sum of "
                                + argument + ", which is " + ofArgument + "; cast it to numeric");
                    }
                }
            }
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    /**
     * A column of a {@link GroupedMerge}.
     *
     * @param step how the values of several servers become one
     * @param argument the argument of the aggregate, if the merge relies on its type, over the table's columns; else null
     */
    record MergedColumn(Step step, @Nullable String argument) {
        /** How the values of several servers become one. NULL is left out; when all are NULL, so is the result. */
        public enum Step {
            /** A group key or a constant: the same on all servers, the first one's is taken. */
            SAME,
            /** The sum of sums or counts. */
            SUM,
            /** The least. */
            MIN,
            /** The greatest. */
            MAX
        }

        @Override
        public String toString() {
            return step.name().toLowerCase(Locale.ROOT);
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
        public boolean givesOneRow() {
            return true;
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
     * The rows that the query needs are collected in temporary tables on one connection, the coordinator, and the database there answers it.
     *
     * <p>Each pulled table becomes a temporary table with the columns of the real one, so the names in {@code finalSql}, none of which is
     * qualified with a schema, mean the temporary tables: a database looks there first. Whoever plans has made sure that the query names no
     * other table, and only functions that give the same on every server. NOT NULL must not hold for columns that are not pulled.
     *
     * @param origin what it is made for
     * @param pulls the tables, each once
     * @param finalSql the query that the coordinator runs
     * @param finalParameters numbers of the caller's parameters, from 1, in the order of the {@code ?} of {@code finalSql}
     * @param reason why the rows cannot be merged as they come
     */
    record Coordinated(Origin origin, List<Pull> pulls, String finalSql, List<Integer> finalParameters, String reason)
            implements FanOutPlan {
        @Override
        public String sql() {
            return origin.sql();
        }

        @Override
        public String describe() {
            return PlanDescription.of(this);
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    /**
     * What a {@link Coordinated} plan is made for.
     *
     * @param sql the query as the caller wrote it
     * @param map name of the map
     * @param generation generation of the map
     * @param servers names of the servers that the map's generation places virtual shards on, in order
     * @param parameters how many parameters the caller must give
     */
    record Origin(String sql, String map, long generation, List<String> servers, int parameters) {}

    /**
     * What is needed of one sharded table.
     *
     * @param table the table
     * @param columns names, as stored, that the query mentions: a column of the table with one of these names is needed, any other is not.
     *     A plan knows no table's columns, so most of the names are no columns of this one, and it can have none of them when only its rows
     *     count. Empty: all columns are needed
     * @param predicate a condition that only needed rows meet, over unqualified columns of the table, or null: all rows are needed
     * @param parameters numbers of the caller's parameters, from 1, in the order of the {@code ?} of the predicate
     */
    record Pull(
            ShardedTable table,
            List<String> columns,
            @Nullable String predicate,
            List<Integer> parameters) {}

    /**
     * The query is not run: no merge would give the answer of one database, or this version does not know it.
     *
     * @param sql the query as the caller wrote it
     * @param construct what in it is refused
     * @param advice what to do instead
     */
    record Refusal(String sql, String construct, String advice) implements FanOutPlan {
        Refusal advising(String more) {
            return new Refusal(sql, construct, advice + "; " + more);
        }

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
