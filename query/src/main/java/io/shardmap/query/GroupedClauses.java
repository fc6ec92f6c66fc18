package io.shardmap.query;

import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.statement.select.PlainSelect;

/**
 * The clauses of a flat SELECT with aggregates, GROUP BY or DISTINCT.
 *
 * @param distinct whether it begins with SELECT DISTINCT
 * @param items tokens of each select item
 * @param from tokens of the FROM clause
 * @param where tokens of the condition, empty when there is none
 * @param groupBy tokens of each group key
 * @param orderBy tokens of each sort key
 * @param tail tokens from LIMIT, OFFSET or FETCH on
 * @param head all tokens before ORDER BY and the tail
 */
record GroupedClauses(
        boolean distinct,
        List<List<SqlToken>> items,
        List<SqlToken> from,
        List<SqlToken> where,
        List<List<SqlToken>> groupBy,
        List<List<SqlToken>> orderBy,
        List<SqlToken> tail,
        List<SqlToken> head) {
    private static final String FLAT = "only one flat SELECT over one table is merged";
    private static final Set<String> TAIL = Set.of("LIMIT", "OFFSET", "FETCH");
    private static final List<String> ORDER = List.of("SELECT", "FROM", "WHERE", "GROUP", "ORDER", "TAIL");

    /** Returns whether merging groups is worth a try. */
    static boolean looksGrouped(ParsedQuery query) {
        return query.select() instanceof PlainSelect select
                && (select.getDistinct() != null
                        || select.getGroupBy() != null
                        || select.getSelectItems().stream()
                                .anyMatch(item -> Aggregates.isAggregate(item.getExpression())
                                        || (Expression) item.getExpression() instanceof AnalyticExpression));
    }

    static GroupedClauses of(ParsedQuery query, PlainSelect select) {
        requirePlain(select);
        List<SqlToken> tokens = query.tokens();
        Map<String, Integer> starts = new LinkedHashMap<>();
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            if (token.kind() != Kind.WORD
                    || token.depth() > 0
                    || (i > 0 && tokens.get(i - 1).isSymbol('.'))) {
                continue;
            }
            String word = token.upperCase();
            if (TAIL.contains(word)) {
                starts.putIfAbsent("TAIL", i);
            } else if (ORDER.contains(word) && !isDistinctFrom(tokens, i) && starts.put(word, i) != null) {
                throw new UnsupportedConstruct("second " + word, FLAT);
            }
        }
        if (!ORDER.stream().filter(starts::containsKey).toList().equals(List.copyOf(starts.keySet()))) {
            throw new UnsupportedConstruct("unusual order of clauses", FLAT);
        }
        boolean distinct = tokens.get(1).is("DISTINCT");
        int end = tokens.size();
        List<SqlToken> head = tokens.subList(0, start(starts, "ORDER", start(starts, "TAIL", end)));
        GroupedClauses clauses = new GroupedClauses(
                distinct,
                split(part(tokens, starts, "SELECT", distinct ? 2 : 1)),
                part(tokens, starts, "FROM", 1),
                part(tokens, starts, "WHERE", 1),
                split(part(tokens, starts, "GROUP", 2)),
                split(part(tokens, starts, "ORDER", 2)),
                part(tokens, starts, "TAIL", 0),
                head);
        clauses.requireSameAs(select);
        return clauses;
    }

    private static int start(Map<String, Integer> starts, String clause, int otherwise) {
        return starts.getOrDefault(clause, otherwise);
    }

    private static List<SqlToken> part(List<SqlToken> tokens, Map<String, Integer> starts, String clause, int skip) {
        Integer start = starts.get(clause);
        if (start == null) {
            return List.of();
        }
        int end = starts.values().stream()
                .filter(other -> other > start)
                .min(Integer::compare)
                .orElse(tokens.size());
        if (start + skip > end) {
            throw new UnsupportedConstruct("empty " + clause, FLAT);
        }
        return tokens.subList(start + skip, end);
    }

    private static void requirePlain(PlainSelect select) {
        boolean flat = (select.getJoins() == null || select.getJoins().isEmpty())
                && (select.getDistinct() == null
                        || (!select.getDistinct().isUseUnique()
                                && select.getDistinct().getOnSelectItems() == null))
                && select.getHaving() == null
                && select.getForMode() == null
                && select.getPreWhere() == null
                && select.getQualify() == null
                && select.getTop() == null
                && select.getSkip() == null
                && select.getFirst() == null
                && select.getWindowDefinitions() == null
                && select.getWithItemsList() == null;
        if (!flat) {
            throw new UnsupportedConstruct(
                    select.getHaving() == null ? "a join, WITH, WINDOW or DISTINCT ON" : "HAVING", FLAT);
        }
    }

    /** Refuses when the tree has other clauses than the tokens. */
    private void requireSameAs(PlainSelect select) {
        int keys = select.getGroupBy() == null
                ? 0
                : select.getGroupBy().getGroupByExpressionList().size();
        int sortKeys = select.getOrderByElements() == null
                ? 0
                : select.getOrderByElements().size();
        boolean same = select.getSelectItems().size() == items.size()
                && (select.getWhere() == null) == where.isEmpty()
                && (select.getDistinct() == null) != distinct
                && keys == groupBy.size()
                && (select.getGroupBy() == null
                        || select.getGroupBy().getGroupingSets().isEmpty())
                && sortKeys == orderBy.size();
        if (!same) {
            throw new UnsupportedConstruct("SQL that the parser reads in another way", FLAT);
        }
    }

    /** Returns whether the token is the FROM of IS [NOT] DISTINCT FROM. */
    static boolean isDistinctFrom(List<SqlToken> tokens, int i) {
        return i >= 2
                && tokens.get(i).is("FROM")
                && tokens.get(i - 1).is("DISTINCT")
                && (tokens.get(i - 2).is("IS") || tokens.get(i - 2).is("NOT"));
    }

    private static List<List<SqlToken>> split(List<SqlToken> tokens) {
        List<List<SqlToken>> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= tokens.size() && !tokens.isEmpty(); i++) {
            if (i == tokens.size()
                    || (tokens.get(i).depth() == 0 && tokens.get(i).isSymbol(','))) {
                if (i == start) {
                    throw new UnsupportedConstruct("empty list", FLAT);
                }
                parts.add(tokens.subList(start, i));
                start = i + 1;
            }
        }
        return parts;
    }
}
