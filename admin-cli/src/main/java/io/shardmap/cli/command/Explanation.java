package io.shardmap.cli.command;

import io.shardmap.cli.output.Output;
import io.shardmap.cli.process.ExitCodes;
import io.shardmap.jdbc.fanout.FanOut;
import io.shardmap.jdbc.fanout.FanOutPlan;
import java.sql.SQLException;

/**
 * What is said of a plan.
 *
 * @param sql the query
 * @param tier how it is answered
 * @param refused whether it is not
 * @param plan the plan, or why it is refused
 */
record Explanation(String sql, Tier tier, boolean refused, String plan) {
    /** How a query is answered. */
    enum Tier {
        STREAMING,
        COORDINATOR,
        REFUSED
    }

    /** Prints the plan of a query and returns the exit code: 1 when it is refused. */
    static int print(FanOut fanOut, String sql, Output output) throws SQLException {
        FanOutPlan plan = fanOut.explain(sql);
        Tier tier = Tier.STREAMING;
        if (plan instanceof FanOutPlan.Refusal) {
            tier = Tier.REFUSED;
        } else if (plan instanceof FanOutPlan.Coordinated) {
            tier = Tier.COORDINATOR;
        }
        boolean refused = tier == Tier.REFUSED;
        output.done(plan.describe(), "plan", new Explanation(plan.sql(), tier, refused, plan.describe()));
        return refused ? ExitCodes.FAILED : ExitCodes.DONE;
    }
}
