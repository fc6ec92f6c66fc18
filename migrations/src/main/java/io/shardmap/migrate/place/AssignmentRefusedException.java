package io.shardmap.migrate.place;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.io.Serial;
import java.util.List;

/** An assignment that is not possible. Nothing was changed; the message lists every problem. */
public final class AssignmentRefusedException extends ShardMapException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /** Creates the refusal; at least one problem. */
    public AssignmentRefusedException(List<String> problems) {
        super(
                ErrorCode.INVALID_DEFINITION,
                "virtual shards must be free to be assigned: problems=" + problems.size() + "\n  "
                        + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, each with the rule, what was found and what to do. */
    public List<String> problems() {
        return problems;
    }
}
