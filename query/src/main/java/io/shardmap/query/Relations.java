package io.shardmap.query;

import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.util.TablesNamesFinder;
import org.jspecify.annotations.Nullable;

/**
 * Finds everything that a query reads from, at any depth, by walking over its tokens. The parser is asked as well, and a query in which it
 * finds a table more is refused.
 */
final class Relations {
    private static final Set<String> NO_ALIAS = Set.of(
            "ON",
            "USING",
            "JOIN",
            "LEFT",
            "RIGHT",
            "FULL",
            "INNER",
            "OUTER",
            "CROSS",
            "NATURAL",
            "WHERE",
            "GROUP",
            "HAVING",
            "WINDOW",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "FOR",
            "WITH",
            "AS");
    private static final Set<String> ENDS_FROM = Set.of(
            "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT", "EXCEPT");
    private static final Set<String> BEGINS_QUERY = Set.of("SELECT", "WITH", "VALUES");

    /**
     * A table, or a common table expression, as named in a FROM clause.
     *
     * @param at place of its first token
     * @param schema its schema as written, or null
     * @param name its name as written
     * @param alias its alias as written, or null
     * @param columnList whether a list of column names follows
     */
    record Relation(
            int at,
            @Nullable SqlToken schema,
            SqlToken name,
            @Nullable SqlToken alias,
            boolean columnList) {
        /** Returns the name by which its columns are qualified. */
        SqlToken qualifier() {
            return alias == null ? name : alias;
        }
    }

    /** What is open at one depth of parentheses. */
    private static final class Scope {
        private boolean select;
        private boolean from;
        private boolean expected;
    }

    private final List<SqlToken> tokens;
    private final List<Relation> found = new ArrayList<>();
    private final Set<String> common = new HashSet<>();
    private final Deque<Scope> scopes = new ArrayDeque<>();

    private Relations(List<SqlToken> tokens) {
        this.tokens = tokens;
    }

    static Relations of(ParsedQuery query) {
        Relations relations = new Relations(query.tokens());
        relations.run();
        relations.requireAllOf(query);
        return relations;
    }

    /** Returns the relations in the order of the text. */
    List<Relation> found() {
        return found;
    }

    /** Returns whether WITH gives this name to a query. */
    boolean isCommon(SqlToken name) {
        return common.contains(plain(name.text()));
    }

    /** Returns whether a token is where a relation gets its alias. */
    boolean isAlias(SqlToken token) {
        return found.stream().anyMatch(relation -> token.equals(relation.alias()));
    }

    private void run() {
        scopes.push(new Scope());
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            Scope scope = scopes.getFirst();
            if (token.isSymbol('(') || token.isSymbol('[')) {
                Scope inner = new Scope();
                inner.from = scope.expected;
                inner.expected = scope.expected;
                scope.expected = false;
                scopes.push(inner);
            } else if (token.isSymbol(')') || token.isSymbol(']')) {
                scopes.pop();
            } else if (token.isSymbol(',')) {
                scope.expected = scope.from;
            } else if (token.isName() && !(i > 0 && tokens.get(i - 1).isSymbol('.'))) {
                name(scope, i);
            }
        }
    }

    private void name(Scope scope, int i) {
        SqlToken token = tokens.get(i);
        String word = token.kind() == Kind.WORD ? token.upperCase() : "";
        if (BEGINS_QUERY.contains(word)) {
            scope.select = true;
            scope.from = false;
            scope.expected = false;
        } else if (word.equals("FROM")) {
            boolean clause = scope.select && !GroupedClauses.isDistinctFrom(tokens, i);
            scope.from |= clause;
            scope.expected |= clause;
        } else if (word.equals("JOIN")) {
            scope.expected = scope.from;
        } else if (ENDS_FROM.contains(word)) {
            scope.from = false;
            scope.expected = false;
        } else if (word.equals("TABLE")) {
            throw new UnsupportedConstruct("TABLE", "write SELECT * FROM the table");
        } else if (scope.expected && !word.equals("LATERAL")) {
            scope.expected = false;
            relation(i);
        }
        common(i);
    }

    private void relation(int first) {
        int at = first + 1;
        SqlToken schema = null;
        SqlToken name = tokens.get(first);
        if (isSymbol(at, '.') && at + 1 < tokens.size()) {
            schema = name;
            name = tokens.get(at + 1);
            at += 2;
        }
        if (isSymbol(at, '.')) {
            throw new UnsupportedConstruct("table of another database", "name it with its schema at most");
        }
        if (isSymbol(at, '(')) {
            return; // a function
        }
        if (isSymbol(at, '*')) {
            throw new UnsupportedConstruct("* after a table", "remove it");
        }
        boolean as = at < tokens.size() && tokens.get(at).is("AS");
        at += as ? 1 : 0;
        SqlToken alias = at < tokens.size()
                        && tokens.get(at).isName()
                        && (tokens.get(at).kind() == Kind.QUOTED
                                || !NO_ALIAS.contains(tokens.get(at).upperCase()))
                ? tokens.get(at)
                : null;
        found.add(new Relation(first, schema, name, alias, alias != null && isSymbol(at + 1, '(')));
    }

    /** Notes {@code name [(columns)] AS [[NOT] MATERIALIZED] (query)}. */
    private void common(int i) {
        int at = i + 1;
        if (isSymbol(at, '(')) {
            int depth = tokens.get(at).depth();
            do {
                at++;
            } while (at < tokens.size() && !(isSymbol(at, ')') && tokens.get(at).depth() == depth));
            at++;
        }
        if (at >= tokens.size() || !tokens.get(at).is("AS")) {
            return;
        }
        at++;
        while (at < tokens.size() && (tokens.get(at).is("NOT") || tokens.get(at).is("MATERIALIZED"))) {
            at++;
        }
        boolean query = isSymbol(at, '(')
                && at + 1 < tokens.size()
                && (tokens.get(at + 1).isSymbol('(')
                        || BEGINS_QUERY.contains(tokens.get(at + 1).upperCase()));
        if (query) {
            common.add(plain(tokens.get(i).text()));
        }
    }

    private boolean isSymbol(int at, char symbol) {
        return at < tokens.size() && tokens.get(at).isSymbol(symbol);
    }

    private void requireAllOf(ParsedQuery query) {
        Set<String> known = new HashSet<>(common);
        found.forEach(relation -> known.add(plain(relation.name().text())));
        Set<String> parsed;
        try {
            parsed = new TablesNamesFinder<Void>().getTables((net.sf.jsqlparser.statement.Statement) query.select());
        } catch (UnsupportedOperationException unknown) {
            throw new UnsupportedConstruct("SQL whose tables the parser cannot name", "simplify it");
        }
        for (String table : parsed) {
            String name = plain(table.substring(table.lastIndexOf('.') + 1));
            if (!known.contains(name)) {
                throw new UnsupportedConstruct(
                        "SQL that the parser reads in another way (table " + table + ")", "simplify it");
            }
        }
    }

    private static String plain(String name) {
        return name.replace("\"", "").toLowerCase(Locale.ROOT);
    }
}
