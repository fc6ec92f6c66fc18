package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.error.SqlErrors;
import java.sql.SQLException;
import java.util.Collection;

/** The database product of a map's servers, as far as a query's meaning depends on it. */
public enum SqlProduct {
    /** NULL is larger than everything. */
    POSTGRESQL(false),
    /** NULL is smaller than everything. */
    H2(true);

    private final boolean nullsLow;

    SqlProduct(boolean nullsLow) {
        this.nullsLow = nullsLow;
    }

    static SqlProduct of(String jdbcUrl) {
        return jdbcUrl.startsWith("jdbc:h2:") ? H2 : POSTGRESQL;
    }

    /** Returns the one product of all servers; 0A000 when they differ, because then no single database could give the answer. */
    static SqlProduct ofAll(Collection<String> jdbcUrls) throws SQLException {
        SqlProduct first = null;
        for (String url : jdbcUrls) {
            SqlProduct product = of(url);
            if (first != null && first != product) {
                throw SqlErrors.notSupported(
                        "servers of a fan-out must be of one product: seen=" + first + " and " + product);
            }
            first = product;
        }
        return first == null ? POSTGRESQL : first;
    }

    /** Returns where ORDER BY puts NULL when the query does not say. */
    public boolean nullsFirst(boolean descending) {
        return nullsLow != descending;
    }
}
