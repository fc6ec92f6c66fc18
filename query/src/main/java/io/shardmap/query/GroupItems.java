package io.shardmap.query;

import io.shardmap.jdbc.fanout.SqlProduct;
import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/** The select items of a query with groups. */
final class GroupItems {
    private record Item(List<SqlToken> tokens, @Nullable SqlToken alias, Expression expression) {}

    private final ParsedQuery query;
    private final OneTable table;
    private final List<Item> items = new ArrayList<>();

    GroupItems(ParsedQuery query, GroupedClauses clauses, PlainSelect select, OneTable table) {
        this.query = query;
        this.table = table;
        for (int i = 0; i < clauses.items().size(); i++) {
            Expression expression = select.getSelectItem(i).getExpression();
            if (expression instanceof AllColumns) {
                throw new UnsupportedConstruct("* with groups", "the group keys are not named");
            }
            boolean aliased = select.getSelectItem(i).getAlias() != null;
            if (aliased && select.getSelectItem(i).getAlias().getAliasColumns() != null) {
                throw new UnsupportedConstruct("column list of an alias", "an item has one name");
            }
            items.add(item(clauses.items().get(i), aliased, expression));
        }
    }

    private static Item item(List<SqlToken> tokens, boolean aliased, Expression expression) {
        int size = tokens.size();
        if (!aliased) {
            return new Item(tokens, null, expression);
        }
        SqlToken alias = tokens.get(size - 1);
        if (size < 2 || !alias.isName()) {
            throw new UnsupportedConstruct("alias of an unusual form", "an alias is a name");
        }
        int end = tokens.get(size - 2).is("AS") ? size - 2 : size - 1;
        if (end == 0) {
            throw new UnsupportedConstruct("alias of an unusual form", "an alias is a name");
        }
        return new Item(tokens.subList(0, end), alias, expression);
    }

    int size() {
        return items.size();
    }

    Expression expression(int item) {
        return items.get(item).expression();
    }

    /** Returns the tokens of an item without its alias. */
    List<SqlToken> tokens(int item) {
        return items.get(item).tokens();
    }

    /** Returns the keys of SELECT DISTINCT: all items. */
    List<GroupKey> distinctKeys() {
        List<GroupKey> keys = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (Aggregates.isAggregate(expression(i))) {
                throw new UnsupportedConstruct("DISTINCT over aggregates", "groups are merged before that");
            }
            keys.add(key(i));
        }
        return keys;
    }

    private GroupKey key(int item) {
        RowLocal.require(expression(item));
        List<SqlToken> tokens = tokens(item);
        if (ParsedQuery.parameters(tokens) > 0) {
            throw new UnsupportedConstruct("group key with a parameter", "its type is not known beforehand");
        }
        return new GroupKey(query.text(tokens), normal(tokens), item, 0);
    }

    GroupKey byOrdinal(SqlToken number, SqlProduct product) {
        if (product != SqlProduct.POSTGRESQL) {
            throw new UnsupportedConstruct("GROUP BY " + number.text(), "only PostgreSQL takes it for a select item");
        }
        return key(ordinal(number));
    }

    /** Returns the place of the item that a number means. */
    int ordinal(SqlToken number) {
        try {
            int ordinal = Integer.parseInt(number.text());
            if (ordinal >= 1 && ordinal <= items.size()) {
                return ordinal - 1;
            }
        } catch (NumberFormatException notAnOrdinal) {
            // Refused like a number out of range.
        }
        throw new UnsupportedConstruct("position " + number.text(), "the select list has no such item");
    }

    /** Returns the place of the item with the same expression, or -1. */
    int find(List<SqlToken> expression) {
        String normal = normal(expression);
        for (int i = 0; i < items.size(); i++) {
            if (normal(tokens(i)).equals(normal)) {
                RowLocal.require(expression(i));
                return i;
            }
        }
        return -1;
    }

    /** Refuses a bare name in GROUP BY that may be a column of the table or the alias of another expression. */
    void requireNoAlias(List<SqlToken> key) {
        if (key.size() != 1 || !key.get(0).isName()) {
            return;
        }
        String name = normal(key);
        for (Item item : items) {
            SqlToken alias = item.alias();
            boolean maybeNamed = alias == null
                    ? !(item.expression() instanceof Column)
                            && item.tokens().stream().anyMatch(token -> sameName(token, key.get(0)))
                    : sameName(alias, key.get(0));
            if (maybeNamed && !normal(item.tokens()).equals(name)) {
                throw new UnsupportedConstruct(
                        "GROUP BY " + key.get(0).text(),
                        "only the database knows whether that is a column or the alias; write the expression or its"
                                + " position to have groups merged as they come");
            }
        }
    }

    void requireRowLocal(String sql) {
        try {
            RowLocal.require(CCJSqlParserUtil.newParser(sql).Expression());
        } catch (ParseException | TokenMgrException unreadable) {
            throw new UnsupportedConstruct("group key " + sql, "it is not an expression by itself");
        }
    }

    /** Returns the places of items whose name in the result is surely or maybe a name; -1 among them says maybe. */
    List<Integer> named(SqlToken name) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            SqlToken alias = item.alias();
            SqlToken last = item.tokens().get(item.tokens().size() - 1);
            if (alias != null || item.expression() instanceof Column) {
                if (sameName(alias == null ? last : alias, name)) {
                    found.add(i);
                }
            } else if (!Aggregates.isAggregate(item.expression())
                    || item.tokens().get(0).text().equalsIgnoreCase(name.text())) {
                found.add(-1);
            }
        }
        return found;
    }

    private static boolean sameName(SqlToken a, SqlToken b) {
        return a.text().replace("\"", "").equalsIgnoreCase(b.text().replace("\"", ""));
    }

    /** Returns an expression in a form in which the same ones are equal: without qualifiers, words in one case. */
    String normal(List<SqlToken> tokens) {
        StringBuilder normal = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            boolean qualifier = i + 1 < tokens.size()
                    && tokens.get(i + 1).isSymbol('.')
                    && token.text().equalsIgnoreCase(table.qualifier());
            if (qualifier) {
                i++;
            } else {
                normal.append(token.kind() == Kind.WORD ? token.upperCase() : token.text())
                        .append(' ');
            }
        }
        return normal.toString();
    }
}
