package io.shardmap.jdbc.fanout;

import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.ShardedTables;
import io.shardmap.jdbc.sql.SqlLexer;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.SqlToken.Kind;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE or DELETE that can run on each server alone: it changes rows of one sharded table, each by its own values and the parameters.
 * As for queries, the tokens say where the clauses are and the parsed tree what they mean.
 *
 * @param head all before WHERE, as written
 * @param where the condition, as written, or null
 * @param shardColumn the qualified shard column
 * @param parameters how many parameters it has
 */
record UpdatePlan(String head, @Nullable String where, String shardColumn, int parameters) {
    private static final String ADVICE =
            "write UPDATE table SET ... WHERE ..., or DELETE FROM table WHERE ..., over one sharded table";

    static UpdatePlan of(String sql, ShardMap map) {
        SqlLexer.Lexed lexed = SqlLexer.lex(sql);
        List<SqlToken> tokens = lexed.tokens();
        boolean deletes =
                tokens.size() > 1 && tokens.get(0).is("DELETE") && tokens.get(1).is("FROM");
        if (!deletes && (tokens.isEmpty() || !tokens.get(0).is("UPDATE"))) {
            throw new UnsupportedConstruct(
                    tokens.isEmpty() ? "empty statement" : tokens.get(0).upperCase() + " on all servers",
                    ADVICE + "; write rows with a key through router.openConnection(map, key)");
        }
        int where = find(tokens, "WHERE", 1, tokens.size());
        int set = deletes ? where : find(tokens, "SET", 1, where);
        UpdateTable table = UpdateTable.of(tokens.subList(deletes ? 2 : 1, set), map);
        List<SqlToken> values = tokens.subList(set, where);
        if (values.stream().anyMatch(token -> token.is("DEFAULT"))) {
            throw new UnsupportedConstruct("DEFAULT", "each server would give its own: pass the value as a parameter");
        }
        Statement statement = parse(lexed.text());
        if (deletes ? !isPlainDelete(statement) : !isPlainUpdate(statement, table.table())) {
            throw new UnsupportedConstruct("form of this statement", ADVICE);
        }
        Expression condition = statement instanceof Delete delete ? delete.getWhere() : ((Update) statement).getWhere();
        if ((condition == null) != (where == tokens.size())) {
            throw new UnsupportedConstruct("SQL that the parser reads in another way", ADVICE);
        }
        RowLocal.require(condition);
        return new UpdatePlan(
                lexed.text().substring(0, tokens.get(where - 1).end()),
                where == tokens.size()
                        ? null
                        : lexed.text()
                                .substring(
                                        tokens.get(where).end(),
                                        tokens.get(tokens.size() - 1).end()),
                table.qualifier() + "." + table.table().columnSql(),
                QueryClauses.parameters(tokens));
    }

    /** Returns the statement of a server that holds copies of rows which others own. */
    String sql(Collection<Integer> copies) {
        StringBuilder sql = new StringBuilder(head);
        if (where != null) {
            sql.append(copies.isEmpty() ? " WHERE" + where : " WHERE (" + where + ") AND ");
        } else if (!copies.isEmpty()) {
            sql.append(" WHERE ");
        }
        if (!copies.isEmpty()) {
            sql.append(shardColumn)
                    .append(" NOT IN (")
                    .append(copies.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")))
                    .append(')');
        }
        return sql.toString();
    }

    /** Returns where a word stands outside parentheses; the end when it does not. */
    private static int find(List<SqlToken> tokens, String word, int from, int to) {
        for (int i = from; i < to; i++) {
            SqlToken token = tokens.get(i);
            if (token.kind() == Kind.WORD && token.depth() == 0 && token.is(word)) {
                return i;
            }
        }
        return to;
    }

    private static Statement parse(String text) {
        try {
            return CCJSqlParserUtil.newParser(text).Statement();
        } catch (ParseException | TokenMgrException unreadable) {
            throw new UnsupportedConstruct("SQL that the parser cannot read", ADVICE);
        }
    }

    private static boolean isPlainDelete(Statement statement) {
        return statement instanceof Delete delete
                && isAbsent(delete.getTables())
                && isAbsent(delete.getUsingFromItemList())
                && isAbsent(delete.getJoins())
                && isAbsent(delete.getWithItemsList())
                && isAbsent(delete.getOrderByElements())
                && delete.getLimit() == null
                && delete.getReturningClause() == null
                && delete.getOutputClause() == null
                && delete.getForPortionClause() == null
                && delete.getPreferringClause() == null
                && delete.getModifierPriority() == null;
    }

    private static boolean isPlainUpdate(Statement statement, ShardedTable table) {
        if (!(statement instanceof Update update)) {
            return false;
        }
        update.getUpdateSets().forEach(set -> requireValues(set, table));
        return update.getFromItem() == null
                && isAbsent(update.getJoins())
                && isAbsent(update.getStartJoins())
                && isAbsent(update.getWithItemsList())
                && isAbsent(update.getOrderByElements())
                && update.getLimit() == null
                && update.getReturningClause() == null
                && update.getOutputClause() == null
                && update.getForPortionClause() == null
                && update.getPreferringClause() == null
                && update.getOption() == null
                && update.getModifierPriority() == null;
    }

    private static void requireValues(UpdateSet set, ShardedTable table) {
        set.getColumns().forEach(column -> {
            String name = column.getColumnName();
            if (name.equals(ShardedTable.quote(table.shardColumn())) || name.equalsIgnoreCase(table.shardColumn())) {
                throw new UnsupportedConstruct(
                        "change of the shard column " + name,
                        "a row changes its virtual shard by DELETE and INSERT, on the server of the old and of the new key");
            }
        });
        set.getValues().forEach(RowLocal::require);
    }

    private static boolean isAbsent(@Nullable List<?> list) {
        return list == null || list.isEmpty();
    }

    /**
     * The table that is changed.
     *
     * @param table the sharded table
     * @param qualifier its name or alias as written
     */
    private record UpdateTable(ShardedTable table, String qualifier) {
        static UpdateTable of(List<SqlToken> tokens, ShardMap map) {
            boolean qualified = tokens.size() > 2 && tokens.get(1).isSymbol('.');
            int at = qualified ? 3 : 1;
            int as = at < tokens.size() && tokens.get(at).is("AS") ? 1 : 0;
            boolean named = !tokens.isEmpty()
                    && tokens.stream().allMatch(token -> token.isName() || token.isSymbol('.'))
                    && (tokens.size() == at || tokens.size() == at + as + 1)
                    && !tokens.get(0).is("ONLY");
            if (!named) {
                throw new UnsupportedConstruct("more than the name of a table and an alias", ADVICE);
            }
            SqlToken name = tokens.get(at - 1);
            ShardedTable table = ShardedTables.find(map, qualified ? tokens.get(0) : null, name);
            return new UpdateTable(
                    table,
                    tokens.size() == at
                            ? name.text()
                            : tokens.get(tokens.size() - 1).text());
        }
    }
}
