package io.shardmap.jdbc.fanout;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The query that each server gets, in pieces of the user's own text. Its parameters are the first ones of the user's statement.
 *
 * @param head {@code SELECT ...}, hidden columns included
 * @param from the FROM clause without the word
 * @param where the user's condition, or null when there is none
 * @param tail GROUP BY and ORDER BY with a leading blank, or empty
 * @param shardColumn the qualified shard column, for the ownership filter
 * @param parameters how many parameters it has
 */
public record ServerQuery(
        String head, String from, @Nullable String where, String tail, String shardColumn, int parameters) {

    /**
     * Returns the text for one server.
     *
     * @param limit how many rows it may return, {@link Long#MAX_VALUE} for all
     * @param copies virtual shards whose rows may be on the server although it does not own them
     */
    String sql(long limit, Collection<Integer> copies) {
        StringBuilder sql = new StringBuilder(head).append(" FROM ").append(from);
        if (where != null) {
            sql.append(copies.isEmpty() ? " WHERE " + where : " WHERE (" + where + ") AND ");
        } else if (!copies.isEmpty()) {
            sql.append(" WHERE ");
        }
        if (!copies.isEmpty()) {
            sql.append(shardColumn)
                    .append(" NOT IN (")
                    .append(copies.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")))
                    .append(')');
        }
        sql.append(tail);
        if (limit != Long.MAX_VALUE) {
            sql.append(" LIMIT ").append(limit);
        }
        return sql.toString();
    }
}
