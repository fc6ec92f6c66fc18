package io.shardmap.jdbc.fanout;

import java.util.Set;

/** The text of a plan for people. */
final class PlanDescription {
    private PlanDescription() {}

    static String of(FanOutPlan.Coordinated plan) {
        FanOutPlan.Origin origin = plan.origin();
        StringBuilder text = head(origin.map(), origin.generation(), "coordinator: " + plan.reason());
        for (FanOutPlan.Pull pull : plan.pulls()) {
            String columns =
                    pull.columns().isEmpty() ? "*" : "those of (" + String.join(", ", pull.columns()) + ") that it has";
            for (String server : origin.servers()) {
                text.append("  server ")
                        .append(server)
                        .append(": SELECT ")
                        .append(columns)
                        .append(" FROM ")
                        .append(pull.table().sql())
                        .append(pull.predicate() == null ? "" : " WHERE " + pull.predicate())
                        .append('\n');
            }
            appendFilter(text, pull.table().columnSql());
        }
        return text.append("  coordinator: ")
                .append(plan.finalSql())
                .append(" over temporary tables with these rows")
                .toString();
    }

    private static StringBuilder head(String map, long generation, String tier) {
        return new StringBuilder("fan-out over map ")
                .append(map)
                .append(", generation ")
                .append(generation)
                .append('\n')
                .append("  tier: ")
                .append(tier)
                .append('\n');
    }

    private static void appendFilter(StringBuilder text, String shardColumn) {
        text.append("  filter: AND ")
                .append(shardColumn)
                .append(" NOT IN (...) on a server that holds copies of virtual shards it does not own\n");
    }

    static String of(FanOutPlan.Ready plan) {
        FanOutPlan.Scope scope = plan.scope();
        RowLimit limit = plan.limit();
        StringBuilder text =
                head(scope.map(), scope.generation(), "streaming: the rows of the servers can be merged as they come");
        String perServer = plan.query().sql(Long.MAX_VALUE, Set.of())
                + (limit.limit() instanceof RowLimit.Absent
                        ? ""
                        : " LIMIT (" + limit.limit() + " + offset " + limit.offset() + ")");
        for (String server : scope.servers()) {
            text.append("  server ")
                    .append(server)
                    .append(": ")
                    .append(perServer)
                    .append('\n');
        }
        appendFilter(text, plan.query().shardColumn());
        for (int parameter : KeyCondition.parameters(plan.query())) {
            text.append("  keys: with ShardKeys as parameter ")
                    .append(parameter)
                    .append(", only the servers that hold them are asked, each for its own\n");
        }
        text.append("  merge: ").append(plan.merge());
        if (!limit.isAbsent()) {
            text.append("; limit ").append(limit.limit()).append(", offset ").append(limit.offset());
        }
        return text.toString();
    }
}
