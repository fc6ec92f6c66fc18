package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.sql.SqlLexer;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clauses of a flat SELECT, found by tokens. Everything that is not SELECT, FROM, WHERE, ORDER BY, LIMIT, OFFSET or FETCH is refused
 * by name.
 *
 * @param text the whole text without comments
 * @param items tokens of each select item
 * @param from tokens of the FROM clause
 * @param where tokens of the condition, empty when there is none
 * @param orderBy tokens of each sort key
 * @param limit LIMIT, OFFSET and FETCH
 * @param headParameters how many parameters stand before LIMIT, OFFSET and FETCH
 * @param parameters how many parameters there are
 */
record QueryClauses(
        String text,
        List<List<SqlToken>> items,
        List<SqlToken> from,
        List<SqlToken> where,
        List<List<SqlToken>> orderBy,
        RowLimit limit,
        int headParameters,
        int parameters) {
    private static final String AGGREGATE_LATER =
            "run it on one shard, or fetch the rows and compute it in the application";
    private static final Map<String, String> STATEMENTS = statements();
    private static final Map<String, String> CONSTRUCTS = constructs();
    private static final Set<String> TAIL = Set.of("LIMIT", "OFFSET", "FETCH");

    static QueryClauses of(SqlLexer.Lexed lexed) {
        List<SqlToken> tokens = lexed.tokens();
        requireSelect(tokens);
        Map<String, Integer> starts = new HashMap<>();
        int tail = tokens.size();
        for (int i = 1; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            if (token.kind() != Kind.WORD) {
                continue;
            }
            requireAllowed(tokens, i);
            String word = token.upperCase();
            if (token.depth() > 0 || isDistinctFrom(tokens, i)) {
                continue;
            }
            if (TAIL.contains(word)) {
                tail = Math.min(tail, i);
            } else if ((word.equals("FROM") || word.equals("WHERE") || word.equals("ORDER"))
                    && starts.put(word, i) != null) {
                throw new UnsupportedConstruct("second " + word, "write one flat SELECT");
            }
        }
        int from = starts.getOrDefault("FROM", -1);
        int where = starts.getOrDefault("WHERE", -1);
        int order = starts.getOrDefault("ORDER", -1);
        if (from < 0) {
            throw new UnsupportedConstruct("SELECT without FROM", "ask any single server: openServer(map, server)");
        }
        int afterWhere = order < 0 ? tail : order;
        int afterFrom = where < 0 ? afterWhere : where;
        if (from > afterFrom || afterFrom > afterWhere || afterWhere > tail) {
            throw new UnsupportedConstruct("unusual order of clauses", "write SELECT, FROM, WHERE, ORDER BY, LIMIT");
        }
        if (order >= 0 && (order + 1 >= tail || !tokens.get(order + 1).is("BY"))) {
            throw new UnsupportedConstruct("ORDER without BY", "write ORDER BY");
        }
        int headParameters = parameters(tokens.subList(0, tail));
        return new QueryClauses(
                lexed.text(),
                split(tokens.subList(1, from)),
                tokens.subList(from + 1, afterFrom),
                where < 0 ? List.of() : tokens.subList(where + 1, afterWhere),
                order < 0 ? List.of() : split(tokens.subList(order + 2, tail)),
                LimitClause.parse(tokens.subList(tail, tokens.size()), headParameters),
                headParameters,
                parameters(tokens));
    }

    /** Returns the text of consecutive tokens as written. */
    String text(List<SqlToken> tokens) {
        return text.substring(
                tokens.get(0).start(), tokens.get(tokens.size() - 1).end());
    }

    /** Returns the text of consecutive tokens as written, or null when there are none. */
    @Nullable
    String textOrNull(List<SqlToken> tokens) {
        return tokens.isEmpty() ? null : text(tokens);
    }

    static int parameters(List<SqlToken> tokens) {
        return (int)
                tokens.stream().filter(token -> token.kind() == Kind.PARAMETER).count();
    }

    private static void requireSelect(List<SqlToken> tokens) {
        if (tokens.isEmpty()) {
            throw new UnsupportedConstruct("empty statement", "write a SELECT");
        }
        SqlToken first = tokens.get(0);
        if (first.isSymbol('(')) {
            throw new UnsupportedConstruct("query in parentheses", "remove them");
        }
        if (!first.is("SELECT")) {
            String word = first.upperCase();
            throw new UnsupportedConstruct(
                    word, STATEMENTS.getOrDefault(word, "a fan-out only reads: run it on one shard at a time"));
        }
    }

    private static void requireAllowed(List<SqlToken> tokens, int i) {
        SqlToken token = tokens.get(i);
        String word = token.upperCase();
        boolean qualified = tokens.get(i - 1).isSymbol('.');
        if (qualified || isDistinctFrom(tokens, i + 1)) {
            return;
        }
        String advice = CONSTRUCTS.get(word);
        if (advice != null) {
            String construct = switch (word) {
                case "SELECT" -> "subquery";
                case "WITH" -> "WITH";
                case "GROUP", "CONNECT" -> word + " BY";
                case "FOR" -> "FOR UPDATE or another locking clause";
                default -> word;
            };
            boolean forInFunction = word.equals("FOR") && token.depth() > 0;
            if (!forInFunction) {
                throw new UnsupportedConstruct(construct, advice);
            }
        }
    }

    /** Returns whether the token is the FROM of IS [NOT] DISTINCT FROM. */
    private static boolean isDistinctFrom(List<SqlToken> tokens, int i) {
        return i < tokens.size()
                && i >= 2
                && tokens.get(i).is("FROM")
                && tokens.get(i - 1).is("DISTINCT")
                && (tokens.get(i - 2).is("IS") || tokens.get(i - 2).is("NOT"));
    }

    private static List<List<SqlToken>> split(List<SqlToken> tokens) {
        List<List<SqlToken>> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= tokens.size(); i++) {
            if (i == tokens.size()
                    || (tokens.get(i).depth() == 0 && tokens.get(i).isSymbol(','))) {
                if (i == start) {
                    throw new UnsupportedConstruct("empty list", "name what to select or to sort by");
                }
                parts.add(tokens.subList(start, i));
                start = i + 1;
            }
        }
        return parts;
    }

    private static Map<String, String> statements() {
        Map<String, String> advice = new HashMap<>();
        advice.put("WITH", "a CTE cannot be split over servers: write one flat SELECT, or run it on one shard");
        advice.put("VALUES", "it needs no fan-out: run it on one server");
        advice.put("TABLE", "write SELECT * FROM the table");
        for (String dml : List.of("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "COPY", "CALL", "DO")) {
            boolean hasUpdate = dml.equals("UPDATE") || dml.equals("DELETE");
            advice.put(
                    dml,
                    "a query only reads: write through router.openConnection(map, key), one shard at a time"
                            + (hasUpdate ? ", or with FanOut.update, which is not atomic over servers" : ""));
        }
        return Map.copyOf(advice);
    }

    private static Map<String, String> constructs() {
        Map<String, String> advice = new HashMap<>();
        advice.put("SELECT", "run the inner query first and pass its result as parameters");
        advice.put("WITH", "write one flat SELECT without WITH");
        advice.put("DISTINCT", "remove duplicates in the application, or run it on one shard");
        advice.put("GROUP", AGGREGATE_LATER);
        advice.put("HAVING", AGGREGATE_LATER);
        advice.put("WINDOW", AGGREGATE_LATER);
        advice.put("QUALIFY", AGGREGATE_LATER);
        for (String operation : List.of("UNION", "INTERSECT", "EXCEPT", "MINUS")) {
            advice.put(operation, "run the queries one by one and combine them in the application");
        }
        for (String join : List.of("JOIN", "LATERAL", "NATURAL")) {
            advice.put(join, "read one table per fan-out, or join on one shard");
        }
        advice.put("FOR", "a fan-out takes no row locks: remove it");
        advice.put("INTO", "a fan-out only reads: remove it");
        advice.put("TABLESAMPLE", "a sample of each server is not a sample of all rows: filter instead");
        advice.put("CONNECT", "write one flat SELECT");
        advice.put("TOP", "write LIMIT after ORDER BY");
        advice.put("EXISTS", "run the inner query first and pass its result as parameters");
        return Map.copyOf(advice);
    }
}
