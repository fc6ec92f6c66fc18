package io.shardmap.jdbc.fanout;

import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.fanout.FanOutPlan.Concatenation;
import io.shardmap.jdbc.fanout.FanOutPlan.CountSum;
import io.shardmap.jdbc.fanout.FanOutPlan.Refusal;
import io.shardmap.jdbc.fanout.FanOutPlan.Scope;
import io.shardmap.jdbc.fanout.FanOutPlan.SortedMerge;
import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.SqlLexer;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;

/**
 * Decides what a fan-out does with a query. Pure: the same text, map and product give the same plan, and nothing is asked.
 *
 * <p>It is an allow-list, checked twice. The tokens say where the clauses are, and each server's query is put together from the caller's
 * own text, so nothing can change or get lost on the way through a parser and back. The parsed tree says what the expressions are. When
 * the two disagree about what is there, the query is refused.
 */
final class FanOutPlanner {
    private FanOutPlanner() {}

    static FanOutPlan plan(String sql, ShardMap map, SqlProduct product) {
        try {
            return allowed(sql, map, product);
        } catch (UnsupportedConstruct refused) {
            return new Refusal(sql, refused.construct(), refused.advice());
        }
    }

    private static FanOutPlan allowed(String sql, ShardMap map, SqlProduct product) {
        SqlLexer.Lexed lexed = SqlLexer.lex(sql);
        QueryClauses clauses = QueryClauses.of(lexed);
        FromTable from = FromTable.of(clauses, map);
        PlainSelect select = parse(clauses);
        RowLocal.require(select.getWhere());
        Scope scope = new Scope(
                sql,
                map.name(),
                map.generation(),
                from.table(),
                List.copyOf(map.placements().keySet()));
        if (select.getSelectItems().size() == 1
                && select.getSelectItem(0).getExpression() instanceof Function function
                && function.getName().toLowerCase(Locale.ROOT).equals("count")) {
            return count(clauses, from, function, scope);
        }
        select.getSelectItems().forEach(FanOutPlanner::requireItem);
        if (clauses.orderBy().isEmpty()) {
            return new Concatenation(scope, serverQuery(clauses, from, List.of()), clauses.limit());
        }
        List<SortKey> keys = new SortKeys(clauses, select, product).keys();
        return new SortedMerge(scope, serverQuery(clauses, from, keys), keys, clauses.limit());
    }

    private static CountSum count(QueryClauses clauses, FromTable from, Function function, Scope scope) {
        if (!clauses.orderBy().isEmpty() || !clauses.limit().isAbsent()) {
            throw new UnsupportedConstruct("count with ORDER BY, LIMIT or OFFSET", "it is one row: remove them");
        }
        for (Expression argument : RowLocal.arguments(function)) {
            if (!(argument instanceof AllColumns)) {
                RowLocal.require(argument);
            } else if (!argument.toString().equals("*")) {
                throw new UnsupportedConstruct("count of a whole row", "write count(*)");
            }
        }
        return new CountSum(scope, serverQuery(clauses, from, List.of()));
    }

    private static void requireItem(SelectItem<?> item) {
        Expression expression = item.getExpression();
        if (expression instanceof AllColumns all) {
            boolean plain = all.toString().equals("*") || all.toString().endsWith(".*");
            if (!plain) {
                throw new UnsupportedConstruct("select item " + all, "write * or name the columns");
            }
        } else {
            RowLocal.require(expression);
        }
        if (item.getAlias() != null && item.getAlias().getAliasColumns() != null) {
            throw new UnsupportedConstruct("column list of an alias", "write one name");
        }
    }

    private static ServerQuery serverQuery(QueryClauses clauses, FromTable from, List<SortKey> keys) {
        StringBuilder head = new StringBuilder("SELECT ").append(clauses.text(joined(clauses.items())));
        for (SortKey key : keys) {
            if (key.hidden() > 0) {
                head.append(", ").append(key.expression()).append(" AS ").append(hiddenName(key.hidden()));
            }
        }
        StringBuilder orderBy = new StringBuilder();
        for (SortKey key : keys) {
            orderBy.append(orderBy.isEmpty() ? " ORDER BY " : ", ").append(key.orderSql());
        }
        return new ServerQuery(
                head.toString(),
                from.sql(),
                clauses.textOrNull(clauses.where()),
                orderBy.toString(),
                from.qualifier() + "." + from.table().columnSql(),
                clauses.headParameters());
    }

    private static List<SqlToken> joined(List<List<SqlToken>> items) {
        List<SqlToken> all = new ArrayList<>();
        items.forEach(all::addAll);
        return all;
    }

    private static String hiddenName(int number) {
        return ShardedTable.quote("shardmap sort " + number);
    }

    private static PlainSelect parse(QueryClauses clauses) {
        Statement statement;
        try {
            statement = CCJSqlParserUtil.newParser(clauses.text()).Statement();
        } catch (ParseException | TokenMgrException unreadable) {
            throw new UnsupportedConstruct(
                    "SQL that the parser cannot read (" + firstLine(unreadable) + ")",
                    "correct it; if a server understands it, simplify it or run it on one shard, which passes any SQL through");
        }
        if (!(statement instanceof PlainSelect select)) {
            throw new UnsupportedConstruct(
                    statement.getClass().getSimpleName(), "write one flat SELECT over one sharded table");
        }
        int sortKeys = select.getOrderByElements() == null
                ? 0
                : select.getOrderByElements().size();
        boolean agreed = select.getSelectItems().size() == clauses.items().size()
                && (select.getWhere() == null) == clauses.where().isEmpty()
                && sortKeys == clauses.orderBy().size()
                && (select.getJoins() == null || select.getJoins().isEmpty())
                && select.getGroupBy() == null
                && select.getHaving() == null
                && select.getDistinct() == null
                && select.getForMode() == null
                && select.getPreWhere() == null
                && select.getQualify() == null
                && select.getTop() == null
                && select.getSkip() == null
                && select.getFirst() == null
                && select.getWithItemsList() == null;
        if (!agreed) {
            throw new UnsupportedConstruct(
                    "SQL that the parser reads in another way",
                    "write a plain SELECT ... FROM ... WHERE ... ORDER BY ... LIMIT");
        }
        return select;
    }

    private static String firstLine(Throwable unreadable) {
        String message = String.valueOf(unreadable.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end).strip();
    }
}
