package io.shardmap.query;

import io.shardmap.ShardedTable;
import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.FanOutPlan.MergedColumn;
import io.shardmap.jdbc.fanout.FanOutPlan.MergedColumn.Step;
import io.shardmap.jdbc.fanout.LimitClause;
import io.shardmap.jdbc.fanout.QueryPlanner.Request;
import io.shardmap.jdbc.fanout.ServerQuery;
import io.shardmap.jdbc.fanout.SortKey;
import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.statement.select.PlainSelect;

/**
 * Plans the merge of groups: each server groups its own rows and sends the groups sorted by all group keys. What cannot be merged like that
 * ends in an {@link UnsupportedConstruct} that says why.
 */
final class GroupedPlanner {
    private final Request request;
    private final ParsedQuery query;
    private final PlainSelect select;
    private final GroupedClauses clauses;
    private final OneTable table;
    private final GroupItems items;

    GroupedPlanner(Request request, ParsedQuery query) {
        this.request = request;
        this.query = query;
        this.select = (PlainSelect) query.select();
        this.clauses = GroupedClauses.of(query, select);
        this.table = OneTable.of(clauses.from(), request.map());
        this.items = new GroupItems(query, clauses, select, table);
    }

    FanOutPlan plan() {
        RowLocal.require(select.getWhere());
        List<GroupKey> keys = clauses.distinct() ? items.distinctKeys() : groupKeys();
        List<MergedColumn> columns = columns(keys);
        if (keys.isEmpty() && columns.stream().allMatch(column -> column.step() == Step.SAME)) {
            throw new UnsupportedConstruct("no aggregate", "there is nothing to merge");
        }
        GroupOrder order = new GroupOrder(request.product(), items, keys);
        List<SortKey> sorted = order.keys(clauses.orderBy());
        FanOutPlan.Scope scope = new FanOutPlan.Scope(
                request.sql(),
                request.map().name(),
                request.map().generation(),
                table.table(),
                SqlQueryPlanner.servers(request));
        return new FanOutPlan.GroupedMerge(
                scope,
                serverQuery(sorted),
                sorted,
                columns,
                LimitClause.parse(clauses.tail(), ParsedQuery.parameters(clauses.head())));
    }

    private List<GroupKey> groupKeys() {
        List<GroupKey> keys = new ArrayList<>();
        int hidden = 0;
        for (int i = 0; i < clauses.groupBy().size(); i++) {
            GroupKey key = groupKey(clauses.groupBy().get(i), hidden + 1);
            if (keys.stream().noneMatch(known -> known.normal().equals(key.normal()))) {
                keys.add(key);
                hidden += key.item() < 0 ? 1 : 0;
            }
        }
        return keys;
    }

    private GroupKey groupKey(List<SqlToken> tokens, int nextHidden) {
        if (ParsedQuery.parameters(tokens) > 0) {
            throw new UnsupportedConstruct("GROUP BY with a parameter", "its type is not known beforehand");
        }
        if (tokens.size() == 1 && tokens.get(0).kind() == SqlToken.Kind.NUMBER) {
            return items.byOrdinal(tokens.get(0), request.product());
        }
        items.requireNoAlias(tokens);
        int item = items.find(tokens);
        if (item < 0) {
            items.requireRowLocal(query.text(tokens));
        }
        return new GroupKey(query.text(tokens), items.normal(tokens), item, item < 0 ? nextHidden : 0);
    }

    private List<MergedColumn> columns(List<GroupKey> keys) {
        List<MergedColumn> columns = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            int item = i;
            Expression expression = items.expression(i);
            if (Aggregates.isAggregate(expression)) {
                if (clauses.distinct()) {
                    throw new UnsupportedConstruct("DISTINCT over aggregates", "groups are merged before that");
                }
                columns.add(Aggregates.merged(query, (Function) expression, items.tokens(i)));
            } else if (expression instanceof LongValue
                    || keys.stream()
                            .anyMatch(key ->
                                    key.item() == item || key.normal().equals(items.normal(items.tokens(item))))) {
                columns.add(new MergedColumn(Step.SAME, null));
            } else {
                throw new UnsupportedConstruct(
                        "item " + query.text(items.tokens(i)), "it is neither a group key nor one plain aggregate");
            }
        }
        return List.copyOf(columns);
    }

    private ServerQuery serverQuery(List<SortKey> keys) {
        StringBuilder head = new StringBuilder(clauses.distinct() ? "SELECT DISTINCT " : "SELECT ")
                .append(clauses.items().stream().map(query::text).collect(Collectors.joining(", ")));
        keys.stream()
                .filter(key -> key.hidden() > 0)
                .sorted((a, b) -> Integer.compare(a.hidden(), b.hidden()))
                .forEach(key -> head.append(", ")
                        .append(key.expression())
                        .append(" AS ")
                        .append(ShardedTable.quote("shardmap sort " + key.hidden())));
        StringBuilder tail = new StringBuilder();
        if (!clauses.groupBy().isEmpty()) {
            tail.append(" GROUP BY ")
                    .append(clauses.groupBy().stream().map(query::text).collect(Collectors.joining(", ")));
        }
        if (!keys.isEmpty()) {
            tail.append(" ORDER BY ")
                    .append(keys.stream().map(SortKey::orderSql).collect(Collectors.joining(", ")));
        }
        return new ServerQuery(
                head.toString(),
                query.text(clauses.from()),
                clauses.where().isEmpty() ? null : query.text(clauses.where()),
                tail.toString(),
                table.qualifier() + "." + table.table().columnSql(),
                ParsedQuery.parameters(clauses.head()));
    }
}
