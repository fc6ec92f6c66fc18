package io.shardmap.query;

import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.QueryPlanner;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;

/**
 * Plans what the router alone refuses: groups that can be merged as they come are, everything else that reads goes to a coordinator, and
 * the rest is refused by name. Made by {@link java.util.ServiceLoader}.
 */
public final class SqlQueryPlanner implements QueryPlanner {
    @Override
    public FanOutPlan plan(Request request) {
        try {
            ParsedQuery query = ParsedQuery.of(request.sql());
            String reason = request.refused();
            if (request.streaming() && GroupedClauses.looksGrouped(query)) {
                try {
                    return new GroupedPlanner(request, query).plan();
                } catch (UnsupportedConstruct notMergeable) {
                    reason = notMergeable.construct() + ": " + notMergeable.advice();
                }
            }
            return new CoordinatedPlanner(request, query, reason).plan();
        } catch (UnsupportedConstruct refused) {
            return new FanOutPlan.Refusal(request.sql(), refused.construct(), refused.advice());
        }
    }

    static List<String> servers(Request request) {
        return List.copyOf(request.map().placements().keySet());
    }
}
