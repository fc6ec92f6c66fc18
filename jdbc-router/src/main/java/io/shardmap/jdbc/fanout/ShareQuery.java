package io.shardmap.jdbc.fanout;

import io.shardmap.Server;
import io.shardmap.jdbc.fanout.coordinator.Values;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plan with the values of one execution put in: what every server's share needs to know.
 *
 * @param plan the plan
 * @param limit LIMIT and OFFSET
 * @param parameters all parameters of the caller
 * @param keys the list of shard keys among them, or null when there is none
 * @param fetchSize rows per round trip
 * @param snapshot whether each server is read in one snapshot, taken before
 * @param product the servers' product
 * @param types what is known of sort keys
 */
record ShareQuery(
        FanOutPlan.Ready plan,
        RowLimit.Bound limit,
        List<@Nullable Object> parameters,
        @Nullable KeyRoutes keys,
        int fetchSize,
        boolean snapshot,
        SqlProduct product,
        SortTypes types) {

    String sql(Set<Integer> copies) {
        return plan.query().sql(limit.perServer(), copies);
    }

    /** Returns whether a server's rows may be more than one fetch. */
    boolean mayExceedOneFetch() {
        return !plan.givesOneRow() && limit.perServer() > fetchSize;
    }

    /** Returns whether each server's answer is a {@link CountSnapshot}, which needs no lock. */
    boolean countsInSnapshots() {
        return plan instanceof FanOutPlan.CountSum && product == SqlProduct.H2;
    }

    void bind(PreparedStatement statement, String server) throws SQLException {
        for (int i = 1; i <= plan.query().parameters(); i++) {
            Object value = parameters.get(i - 1);
            Values.bind(statement, i, keys == null ? value : keys.value(i, value, server));
        }
    }

    List<SortType> sortTypes(Connection connection, Server server) throws SQLException {
        return plan.ordered().isEmpty() ? List.of() : types.of(plan, product, connection, server);
    }
}
