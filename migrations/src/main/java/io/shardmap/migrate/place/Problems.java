package io.shardmap.migrate.place;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.util.List;

/** What is in the way of registering a table. */
final class Problems {
    private Problems() {}

    static void requireNone(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "table must be the same on every server: problems=" + problems.size() + "\n  "
                            + String.join("\n  ", problems));
        }
    }
}
