package io.shardmap.query;

import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/**
 * The part of the outermost WHERE that each server can already apply to a table: conditions joined by AND that depend on one row of it
 * alone. Nothing is pushed into a table that is named twice, or where an outer join or NATURAL makes a difference.
 *
 * @param sql the conditions over unqualified columns
 * @param parameters numbers of the parameters in it
 */
record PushedPredicate(String sql, List<Integer> parameters) {
    private static final Set<String> NO_PUSH_FROM = Set.of("LEFT", "RIGHT", "FULL", "OUTER", "NATURAL");
    private static final Set<String> NO_COLUMNS = Set.of(
            "AND", "OR", "NOT", "IS", "NULL", "IN", "BETWEEN", "LIKE", "ILIKE", "TRUE", "FALSE", "ESCAPE", "ANY", "ALL",
            "SOME", "CASE", "WHEN", "THEN", "ELSE", "END", "UNKNOWN");

    static @Nullable PushedPredicate of(ParsedQuery query, Relations.Relation table) {
        if (!(query.select() instanceof PlainSelect select)
                || select.getWhere() == null
                || select.getWithItemsList() != null
                || query.tokens().get(table.at()).depth() > 0) {
            return null;
        }
        List<SqlToken> tokens = query.tokens();
        int from = find(tokens, "FROM", 0);
        int where = find(tokens, "WHERE", from);
        if (from < 0 || where < from || table.at() > where) {
            return null;
        }
        List<SqlToken> fromClause = tokens.subList(from + 1, where);
        if (fromClause.stream()
                .anyMatch(token -> token.kind() == Kind.WORD && NO_PUSH_FROM.contains(token.upperCase()))) {
            return null;
        }
        boolean alone =
                fromClause.stream().noneMatch(token -> token.isSymbol(',') || token.isSymbol('(') || token.is("JOIN"));
        List<Expression> conditions = new ArrayList<>();
        collect(select.getWhere(), conditions);
        List<List<SqlToken>> texts = conjuncts(tokens, where + 1);
        if (texts.size() != conditions.size()) {
            return null;
        }
        return pushed(query, table, alone, conditions, texts);
    }

    private static @Nullable PushedPredicate pushed(
            ParsedQuery query,
            Relations.Relation table,
            boolean alone,
            List<Expression> conditions,
            List<List<SqlToken>> texts) {
        List<String> sql = new ArrayList<>();
        List<Integer> parameters = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            List<SqlToken> text = texts.get(i);
            if (isRowLocal(conditions.get(i)) && isOver(table, text, alone)) {
                sql.add("(" + unqualified(query, table, text) + ")");
                int before = ParsedQuery.parameters(
                        query.tokens().subList(0, query.tokens().indexOf(text.get(0))));
                for (int p = 1; p <= ParsedQuery.parameters(text); p++) {
                    parameters.add(before + p);
                }
            }
        }
        return sql.isEmpty() ? null : new PushedPredicate(String.join(" AND ", sql), List.copyOf(parameters));
    }

    private static int find(List<SqlToken> tokens, String word, int start) {
        for (int i = Math.max(0, start); i < tokens.size(); i++) {
            if (tokens.get(i).depth() == 0 && tokens.get(i).is(word) && !GroupedClauses.isDistinctFrom(tokens, i)) {
                return i;
            }
        }
        return -1;
    }

    private static void collect(Expression condition, List<Expression> conditions) {
        if (condition instanceof AndExpression and) {
            collect(and.getLeftExpression(), conditions);
            collect(and.getRightExpression(), conditions);
        } else {
            conditions.add(condition);
        }
    }

    /** Cuts the condition at its outermost ANDs; not at all when there is an OR or a CASE. */
    private static List<List<SqlToken>> conjuncts(List<SqlToken> tokens, int start) {
        List<List<SqlToken>> parts = new ArrayList<>();
        int end = start;
        while (end < tokens.size() && !endsWhere(tokens.get(end))) {
            end++;
        }
        List<SqlToken> whole = tokens.subList(start, end);
        if (whole.stream().anyMatch(token -> token.depth() == 0 && (token.is("OR") || token.is("CASE")))) {
            return List.of(whole);
        }
        int begin = start;
        boolean between = false;
        for (int i = start; i < end; i++) {
            SqlToken token = tokens.get(i);
            if (token.depth() == 0) {
                if (token.is("BETWEEN")) {
                    between = true;
                } else if (token.is("AND") && between) {
                    between = false;
                } else if (token.is("AND")) {
                    parts.add(tokens.subList(begin, i));
                    begin = i + 1;
                }
            }
        }
        parts.add(tokens.subList(begin, end));
        return parts.stream().anyMatch(List::isEmpty) ? List.of() : parts;
    }

    private static boolean endsWhere(SqlToken token) {
        return token.depth() == 0
                && (token.is("GROUP")
                        || token.is("HAVING")
                        || token.is("WINDOW")
                        || token.is("ORDER")
                        || token.is("LIMIT")
                        || token.is("OFFSET")
                        || token.is("FETCH")
                        || token.is("FOR"));
    }

    private static boolean isRowLocal(Expression condition) {
        try {
            RowLocal.require(condition);
            return true;
        } catch (UnsupportedConstruct other) {
            return false;
        }
    }

    /** Returns whether all columns are the table's: it is the only one, or they say so. */
    private static boolean isOver(Relations.Relation table, List<SqlToken> text, boolean alone) {
        for (int i = 0; i < text.size(); i++) {
            SqlToken token = text.get(i);
            if (!token.isName() || (i > 0 && text.get(i - 1).isSymbol('.'))) {
                continue;
            }
            boolean qualifies = i + 1 < text.size() && text.get(i + 1).isSymbol('.');
            boolean own = ColumnNames.same(token, table.qualifier());
            boolean threeParts =
                    qualifies && i + 3 < text.size() && text.get(i + 3).isSymbol('.');
            if (threeParts || (qualifies ? !own : own)) {
                return false;
            }
            boolean call = i + 1 < text.size() && text.get(i + 1).isSymbol('(');
            if (!alone && !qualifies && !call && !NO_COLUMNS.contains(token.upperCase())) {
                return false;
            }
        }
        return true;
    }

    private static String unqualified(ParsedQuery query, Relations.Relation table, List<SqlToken> text) {
        StringBuilder sql = new StringBuilder();
        int copied = text.get(0).start();
        for (int i = 0; i + 1 < text.size(); i++) {
            if (text.get(i).isName()
                    && text.get(i + 1).isSymbol('.')
                    && ColumnNames.same(text.get(i), table.qualifier())) {
                sql.append(query.text(), copied, text.get(i).start());
                copied = text.get(i + 1).end();
            }
        }
        return sql.append(query.text(), copied, text.get(text.size() - 1).end()).toString();
    }
}
