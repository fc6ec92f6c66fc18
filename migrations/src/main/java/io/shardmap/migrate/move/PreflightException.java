package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A move that cannot start. Nothing was changed; the message lists every problem. */
public final class PreflightException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient MovePlan plan;

    /** Creates the refusal of a plan with problems. */
    public PreflightException(MovePlan plan) {
        super(
                ErrorCode.PREFLIGHT,
                "move must have nothing in its way: " + plan + ", problems="
                        + plan.problems().size()
                        + plan.problems().stream()
                                .map(PreflightProblem::toString)
                                .collect(Collectors.joining("\n  ", "\n  ", "")));
        this.plan = plan;
    }

    /** Returns the plan with its problems. */
    public MovePlan plan() {
        return plan;
    }

    /** Returns the problems; at least one. */
    public List<PreflightProblem> problems() {
        return plan.problems();
    }
}
