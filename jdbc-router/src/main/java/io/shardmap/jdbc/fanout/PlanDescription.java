package io.shardmap.jdbc.fanout;

import java.util.Set;

/** The text of a plan for people. */
final class PlanDescription {
    private PlanDescription() {}

    static String of(FanOutPlan.Ready plan) {
        FanOutPlan.Scope scope = plan.scope();
        RowLimit limit = plan.limit();
        StringBuilder text = new StringBuilder("fan-out over map ")
                .append(scope.map())
                .append(", generation ")
                .append(scope.generation())
                .append('\n');
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
        text.append("  filter: AND ")
                .append(plan.query().shardColumn())
                .append(" NOT IN (...) on a server that holds copies of virtual shards it does not own\n");
        text.append("  merge: ").append(plan.merge());
        if (!limit.isAbsent()) {
            text.append("; limit ").append(limit.limit()).append(", offset ").append(limit.offset());
        }
        return text.toString();
    }
}
