package io.shardmap.jdbc.fanout;

import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;

/**
 * Finds out what ORDER BY means. SQL looks a bare name up among the names of the result first and among the table's columns second;
 * anything else, such as a qualified name or one with COLLATE, is over the table's columns. A key that is not a column of the result, or
 * whose place a {@code *} hides, becomes a hidden column. Where the name of a result column is up to the database, a bare name is refused.
 */
final class SortKeys {
    private static final String ADVICE =
            "sort by a column, an alias or the number of a select item, with ASC, DESC, NULLS FIRST, NULLS LAST or COLLATE";

    private final QueryClauses clauses;
    private final SqlProduct product;
    private final List<Expression> items;
    private final List<Boolean> aliased;
    private final int firstStar;
    private final List<SortKey> keys = new ArrayList<>();
    private int hidden;

    SortKeys(QueryClauses clauses, PlainSelect select, SqlProduct product) {
        this.clauses = clauses;
        this.product = product;
        this.items = select.getSelectItems().stream()
                .map(item -> (Expression) item.getExpression())
                .toList();
        this.aliased = select.getSelectItems().stream()
                .map(item -> item.getAlias() != null)
                .toList();
        this.firstStar = IntStream.range(0, items.size())
                .filter(i -> items.get(i) instanceof AllColumns)
                .findFirst()
                .orElse(items.size());
    }

    List<SortKey> keys() {
        clauses.orderBy().forEach(this::add);
        return List.copyOf(keys);
    }

    private void add(List<SqlToken> tokens) {
        int end = tokens.size();
        Boolean nullsFirst = null;
        if (end > 2 && tokens.get(end - 2).is("NULLS")) {
            nullsFirst = tokens.get(end - 1).is("FIRST");
            if (!nullsFirst && !tokens.get(end - 1).is("LAST")) {
                throw unsupported(tokens);
            }
            end -= 2;
        }
        boolean descending = tokens.get(end - 1).is("DESC");
        if (end > 1 && (descending || tokens.get(end - 1).is("ASC"))) {
            end--;
        }
        List<SqlToken> key = tokens.subList(0, end);
        boolean first = nullsFirst == null ? product.nullsFirst(descending) : nullsFirst;
        if (key.size() == 1 && key.get(0).kind() == Kind.NUMBER) {
            byOrdinal(key.get(0), descending, first);
        } else if (key.size() == 1 && key.get(0).isName()) {
            byName(key.get(0), descending, first);
        } else {
            requireColumn(key);
            hide(clauses.text(key), clauses.text(key), descending, first);
        }
    }

    /** Allows {@code [qualifier.]column [COLLATE name]}. */
    private void requireColumn(List<SqlToken> key) {
        int at = 1;
        if (key.size() > 2 && key.get(1).isSymbol('.') && key.get(2).isName()) {
            at = 3;
        }
        boolean column = key.get(0).isName();
        boolean collate = at + 1 < key.size()
                && key.get(at).is("COLLATE")
                && key.get(at + 1).isName();
        if (collate) {
            at += 2;
            if (at + 1 < key.size()
                    && key.get(at).isSymbol('.')
                    && key.get(at + 1).isName()) {
                at += 2;
            }
        }
        if (!column || at != key.size()) {
            throw unsupported(key);
        }
        SqlToken name = key.size() > 2 && key.get(1).isSymbol('.') ? key.get(2) : key.get(0);
        RowLocal.require(new Column(name.text()));
    }

    private void byOrdinal(SqlToken number, boolean descending, boolean nullsFirst) {
        int ordinal;
        try {
            ordinal = Integer.parseInt(number.text());
        } catch (NumberFormatException notAnOrdinal) {
            throw unsupported(List.of(number));
        }
        if (ordinal < 1 || (ordinal > items.size() && firstStar == items.size())) {
            throw new UnsupportedConstruct("ORDER BY " + ordinal, "the select list has no such item");
        }
        if (ordinal > firstStar) {
            throw new UnsupportedConstruct("ORDER BY " + ordinal + " with *", "sort by the column's name");
        }
        keys.add(visible(ordinal, number.text(), descending, nullsFirst));
    }

    private void byName(SqlToken name, boolean descending, boolean nullsFirst) {
        int found = -1;
        for (int i = 0; i < items.size(); i++) {
            if (isNamed(i, name)) {
                if (found >= 0) {
                    throw new UnsupportedConstruct(
                            "ORDER BY " + name.text() + " with two columns of that name",
                            "give each an alias of its own");
                }
                found = i;
            }
        }
        if (found < 0) {
            RowLocal.require(new Column(name.text()));
            hide(name.text(), name.text(), descending, nullsFirst);
        } else if (found < firstStar) {
            keys.add(visible(found + 1, name.text(), descending, nullsFirst));
        } else {
            hide(itemText(found), name.text(), descending, nullsFirst);
        }
    }

    private SortKey visible(int ordinal, String serverSql, boolean descending, boolean nullsFirst) {
        return new SortKey(requireNoParameter(itemText(ordinal - 1)), serverSql, ordinal, 0, descending, nullsFirst);
    }

    private void hide(String expression, String serverSql, boolean descending, boolean nullsFirst) {
        keys.add(new SortKey(requireNoParameter(expression), serverSql, 0, ++hidden, descending, nullsFirst));
    }

    private static String requireNoParameter(String expression) {
        if (expression.contains("?")) {
            throw new UnsupportedConstruct("ORDER BY an expression with a parameter", "sort by a column");
        }
        return expression;
    }

    /** Returns whether a bare name in ORDER BY means the item; refuses when that is up to the database. */
    private boolean isNamed(int item, SqlToken name) {
        Expression expression = items.get(item);
        if (expression instanceof AllColumns) {
            return false;
        }
        List<SqlToken> tokens = clauses.items().get(item);
        SqlToken last = tokens.get(tokens.size() - 1);
        if (hasAlias(item) || expression instanceof Column) {
            if (!last.text().replace("\"", "").equalsIgnoreCase(name.text().replace("\"", ""))) {
                return false;
            }
            boolean sameForm = last.kind() == name.kind();
            if (!sameForm) {
                throw new UnsupportedConstruct(
                        "ORDER BY " + name.text() + " for " + last.text(), "quote both or neither");
            }
            return last.kind() == Kind.WORD || last.text().equals(name.text());
        }
        boolean nameIsKnown = expression instanceof BinaryExpression;
        if (expression instanceof Function function) {
            nameIsKnown = !function.getName().equalsIgnoreCase(name.text());
        }
        if (!nameIsKnown && tokens.stream().anyMatch(token -> token.text().equalsIgnoreCase(name.text()))) {
            throw new UnsupportedConstruct(
                    "ORDER BY " + name.text() + " with the unnamed item " + clauses.text(tokens),
                    "give the item an alias");
        }
        return false;
    }

    private boolean hasAlias(int item) {
        return aliasTokens(item) > 0;
    }

    /** Returns how many tokens at the end of an item are its alias. */
    private int aliasTokens(int item) {
        List<SqlToken> tokens = clauses.items().get(item);
        int size = tokens.size();
        if (size < 2 || !tokens.get(size - 1).isName()) {
            return 0;
        }
        if (tokens.get(size - 2).is("AS") && tokens.get(size - 2).depth() == 0) {
            return 2;
        }
        return aliased.get(item) ? 1 : 0;
    }

    private String itemText(int item) {
        List<SqlToken> tokens = clauses.items().get(item);
        return clauses.text(tokens.subList(0, tokens.size() - aliasTokens(item)));
    }

    private UnsupportedConstruct unsupported(List<SqlToken> key) {
        return new UnsupportedConstruct("ORDER BY " + clauses.text(key), ADVICE);
    }
}
