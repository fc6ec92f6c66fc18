package io.shardmap.query;

import io.shardmap.jdbc.fanout.FanOutPlan.MergedColumn;
import io.shardmap.jdbc.fanout.FanOutPlan.MergedColumn.Step;
import io.shardmap.jdbc.sql.KnownFunctions;
import io.shardmap.jdbc.sql.RowLocal;
import io.shardmap.jdbc.sql.SqlToken;
import io.shardmap.jdbc.sql.UnsupportedConstruct;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.statement.select.AllColumns;

/** Aggregates whose value over all rows follows from their values over the rows of each server. */
final class Aggregates {
    private static final Map<String, Step> STEPS =
            Map.of("count", Step.SUM, "sum", Step.SUM, "min", Step.MIN, "max", Step.MAX);

    private Aggregates() {}

    static boolean isAggregate(Expression expression) {
        return expression instanceof Function function
                && KnownFunctions.isAggregate(function.getName().toLowerCase(Locale.ROOT));
    }

    /** Returns how the column of an aggregate is merged; refuses what cannot be. */
    static MergedColumn merged(ParsedQuery query, Function function, List<SqlToken> call) {
        String name = function.getName().toLowerCase(Locale.ROOT);
        Step step = STEPS.get(name);
        if (step == null) {
            throw new UnsupportedConstruct("aggregate " + name, "its value does not follow from those of the servers");
        }
        boolean whole = call.size() >= 3
                && call.get(0).is(name)
                && call.get(1).isSymbol('(')
                && call.get(call.size() - 1).isSymbol(')');
        if (!whole) {
            throw new UnsupportedConstruct("aggregate " + query.text(call), "it is more than a plain call");
        }
        List<Expression> arguments = RowLocal.arguments(function);
        for (Expression argument : arguments) {
            if (!(argument instanceof AllColumns)) {
                RowLocal.require(argument);
            } else if (!name.equals("count") || !argument.toString().equals("*")) {
                throw new UnsupportedConstruct(query.text(call), "the argument is a whole row");
            }
        }
        if (name.equals("count")) {
            return new MergedColumn(step, null);
        }
        List<SqlToken> argument = call.subList(2, call.size() - 1);
        if (arguments.size() != 1 || ParsedQuery.parameters(argument) > 0) {
            throw new UnsupportedConstruct(query.text(call), "the type of its argument is not known beforehand");
        }
        return new MergedColumn(step, query.text(argument));
    }
}
