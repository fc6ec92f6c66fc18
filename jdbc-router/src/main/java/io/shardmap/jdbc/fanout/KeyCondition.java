package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.sql.SqlLexer;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;

/** Finds conditions {@code column = ANY (?)} that every row of a query meets. */
final class KeyCondition {
    private KeyCondition() {}

    /** Returns the numbers of the caller's parameters, from 1, that stand in such a condition. */
    static List<Integer> parameters(ServerQuery query) {
        String where = query.where();
        if (where == null) {
            return List.of();
        }
        List<SqlToken> tokens = SqlLexer.lex(where).tokens();
        int number = QueryClauses.parameters(SqlLexer.lex(query.head()).tokens());
        List<Integer> found = new ArrayList<>();
        boolean anyOr = tokens.stream()
                .anyMatch(token -> token.depth() == 0 && (token.is("OR") || token.is("XOR") || token.is("CASE")));
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).kind() == Kind.PARAMETER) {
                number++;
                if (!anyOr && isWholeCondition(tokens, i)) {
                    found.add(number);
                }
            }
        }
        return found;
    }

    private static boolean isWholeCondition(List<SqlToken> tokens, int parameter) {
        int any = parameter - 2;
        int close = parameter + 1;
        boolean comparison = any >= 2
                && close < tokens.size()
                && tokens.get(any).is("ANY")
                && tokens.get(any).depth() == 0
                && tokens.get(parameter - 1).isSymbol('(')
                && tokens.get(close).isSymbol(')')
                && tokens.get(any - 1).text().equals("=")
                && tokens.get(any - 2).isName();
        if (!comparison) {
            return false;
        }
        int start = any - 2;
        while (start >= 2
                && tokens.get(start - 1).isSymbol('.')
                && tokens.get(start - 2).isName()) {
            start -= 2;
        }
        boolean ends = close + 1 == tokens.size() || tokens.get(close + 1).is("AND");
        return ends && (start == 0 || (tokens.get(start - 1).is("AND") && !isOfBetween(tokens, start - 1)));
    }

    /** Returns whether an AND belongs to a BETWEEN before it. */
    private static boolean isOfBetween(List<SqlToken> tokens, int and) {
        boolean between = false;
        for (int i = 0; i < and; i++) {
            SqlToken token = tokens.get(i);
            if (token.depth() == 0 && token.is("BETWEEN")) {
                between = true;
            } else if (token.depth() == 0 && token.is("AND")) {
                between = false;
            }
        }
        return between;
    }
}
