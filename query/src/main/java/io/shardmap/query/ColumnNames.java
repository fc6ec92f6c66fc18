package io.shardmap.query;

import io.shardmap.jdbc.fanout.SqlProduct;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the columns of a table that a query may need. A column that is needed is named somewhere, unless a star, NATURAL, a whole row or a
 * list of new column names stands for it; then all are needed.
 */
final class ColumnNames {
    /** Reserved words of PostgreSQL and H2: an unquoted one is no column. */
    private static final Set<String> RESERVED = Set.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP",
            "ORDER",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "NULL",
            "AS",
            "ON",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "END",
            "DISTINCT",
            "ALL",
            "JOIN",
            "INNER",
            "LEFT",
            "RIGHT",
            "FULL",
            "OUTER",
            "CROSS",
            "USING",
            "DESC",
            "ASC",
            "WITH",
            "TRUE",
            "FALSE",
            "LIKE",
            "ANY",
            "SOME",
            "ARRAY",
            "CAST",
            "COLLATE",
            "FOR",
            "WINDOW",
            "LATERAL",
            "BOTH",
            "LEADING",
            "TRAILING");

    private ColumnNames() {}

    /** Returns the names, as stored, that may be columns of a table; empty when all of its columns are needed. */
    static List<String> of(List<SqlToken> tokens, List<Relations.Relation> occurrences, SqlProduct product) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            if (token.is("NATURAL") || isStarOf(tokens, i, occurrences)) {
                return List.of();
            }
            boolean call = i + 1 < tokens.size() && tokens.get(i + 1).isSymbol('(');
            if (token.kind() == Kind.QUOTED) {
                names.add(stored(token, product));
            } else if (token.kind() == Kind.WORD && !call && !RESERVED.contains(token.upperCase())) {
                names.add(stored(token, product));
            }
        }
        boolean whole = occurrences.stream()
                .anyMatch(occurrence ->
                        occurrence.columnList() || isWholeRow(tokens, occurrence.qualifier(), occurrences));
        return whole ? List.of() : List.copyOf(names);
    }

    static String stored(SqlToken name, SqlProduct product) {
        if (name.kind() == Kind.QUOTED) {
            return name.text().substring(1, name.text().length() - 1).replace("\"\"", "\"");
        }
        return product == SqlProduct.H2 ? name.upperCase() : name.text().toLowerCase(Locale.ROOT);
    }

    private static boolean isStarOf(List<SqlToken> tokens, int i, List<Relations.Relation> occurrences) {
        if (!tokens.get(i).isSymbol('*')) {
            return false;
        }
        SqlToken before = tokens.get(i - 1);
        if (before.isSymbol('.')) {
            SqlToken qualifier = tokens.get(i - 2);
            return occurrences.stream().anyMatch(occurrence -> same(occurrence.qualifier(), qualifier));
        }
        SqlToken after = i + 1 < tokens.size() ? tokens.get(i + 1) : null;
        boolean countOfRows = before.isSymbol('(') && after != null && after.isSymbol(')');
        return !countOfRows && !(endsOperand(before) && after != null && beginsOperand(after));
    }

    private static boolean endsOperand(SqlToken token) {
        return switch (token.kind()) {
            case SYMBOL -> token.isSymbol(')') || token.isSymbol(']');
            case WORD -> !token.is("SELECT") && !token.is("DISTINCT") && !token.is("ALL");
            default -> true;
        };
    }

    private static boolean beginsOperand(SqlToken token) {
        return switch (token.kind()) {
            case SYMBOL -> token.isSymbol('(') || token.isSymbol('-') || token.isSymbol('+') || token.isSymbol('@');
            case WORD -> !token.is("FROM") && !token.is("INTO") && !token.is("WHERE");
            default -> true;
        };
    }

    /** Returns whether the name stands somewhere by itself where no FROM clause declares it. */
    private static boolean isWholeRow(List<SqlToken> tokens, SqlToken qualifier, List<Relations.Relation> occurrences) {
        long alone = 0;
        for (int i = 0; i < tokens.size(); i++) {
            boolean qualifies = i + 1 < tokens.size() && tokens.get(i + 1).isSymbol('.');
            boolean qualified = i > 0 && tokens.get(i - 1).isSymbol('.');
            boolean declared = isDeclaration(tokens, i, occurrences);
            if (tokens.get(i).isName() && same(tokens.get(i), qualifier) && !qualifies && !qualified && !declared) {
                alone++;
            }
        }
        return alone > 0;
    }

    private static boolean isDeclaration(List<SqlToken> tokens, int i, List<Relations.Relation> occurrences) {
        return occurrences.stream()
                .anyMatch(occurrence ->
                        tokens.get(i).equals(occurrence.name()) || tokens.get(i).equals(occurrence.alias()));
    }

    static boolean same(SqlToken a, SqlToken b) {
        return a.text().replace("\"", "").equalsIgnoreCase(b.text().replace("\"", ""));
    }
}
