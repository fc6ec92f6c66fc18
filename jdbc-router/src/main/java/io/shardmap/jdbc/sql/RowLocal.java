package io.shardmap.jdbc.sql;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.ArrayConstructor;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.CollateExpression;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.DateUnitExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.HexValue;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.JsonExpression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.TimeKeyExpression;
import net.sf.jsqlparser.expression.TimezoneExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.WhenClause;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.IsUnknownExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.schema.Column;
import org.jspecify.annotations.Nullable;

/**
 * An allow-list of expressions whose value depends on one row and the parameters alone, so that it is the same on every server. What is
 * not listed is refused.
 */
public final class RowLocal {
    /** Strings that PostgreSQL reads as a time of its own when they become a date or a timestamp. */
    private static final Pattern CLOCK =
            Pattern.compile("\\s*'?\\s*(now|today|tomorrow|yesterday)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final String CLOCK_ADVICE = "each server has its own clock: pass the time as a parameter";
    private static final String AGGREGATE_ADVICE =
            "only a single count(*) or count(expression) is merged: run it on one shard, or compute it in the application";

    private RowLocal() {}

    /** Refuses an expression, or a part of it, that is not on the list. */
    public static void require(@Nullable Expression expression) {
        if (expression == null) {
            return;
        }
        if (isLeaf(expression)) {
            return;
        }
        if (expression instanceof Column column) {
            column(column);
        } else if (expression instanceof StringValue string) {
            notAClock(string.getValue());
        } else if (expression instanceof DateTimeLiteralExpression literal) {
            notAClock(literal.getValue());
        } else if (expression instanceof LikeExpression like) {
            require(like.getLeftExpression());
            if (!(like.getRightExpression() instanceof StringValue)) {
                require(like.getRightExpression());
            }
            require(like.getEscape());
        } else if (expression instanceof BinaryExpression binary) {
            require(binary.getLeftExpression());
            require(binary.getRightExpression());
        } else if (expression instanceof ExpressionList<?> list) {
            list.forEach(RowLocal::require);
        } else if (expression instanceof Function function) {
            function(function);
        } else if (expression instanceof CaseExpression choice) {
            require(choice.getSwitchExpression());
            choice.getWhenClauses().forEach(RowLocal::require);
            require(choice.getElseExpression());
        } else {
            requireWrapper(expression);
        }
    }

    private static boolean isLeaf(Expression expression) {
        return expression instanceof LongValue
                || expression instanceof DoubleValue
                || expression instanceof NullValue
                || expression instanceof BooleanValue
                || expression instanceof HexValue
                || expression instanceof DateUnitExpression // a column named year, month, ...
                || expression instanceof JdbcParameter;
    }

    private static void requireWrapper(Expression expression) {
        if (expression instanceof WhenClause when) {
            require(when.getWhenExpression());
            require(when.getThenExpression());
        } else if (expression instanceof CastExpression cast) {
            cast(cast);
        } else if (expression instanceof NotExpression not) {
            require(not.getExpression());
        } else if (expression instanceof IsNullExpression isNull) {
            require(isNull.getLeftExpression());
        } else if (expression instanceof IsBooleanExpression isBoolean) {
            require(isBoolean.getLeftExpression());
        } else if (expression instanceof IsUnknownExpression isUnknown) {
            require(isUnknown.getLeftExpression());
        } else if (expression instanceof InExpression in) {
            require(in.getLeftExpression());
            require(in.getRightExpression());
        } else if (expression instanceof Between between) {
            require(between.getLeftExpression());
            require(between.getBetweenExpressionStart());
            require(between.getBetweenExpressionEnd());
        } else if (expression instanceof SignedExpression signed) {
            require(signed.getExpression());
        } else if (expression instanceof ExtractExpression extract) {
            require(extract.getExpression());
        } else if (expression instanceof IntervalExpression interval) {
            require(interval.getExpression());
        } else if (expression instanceof CollateExpression collate) {
            require(collate.getLeftExpression());
        } else if (expression instanceof TrimFunction trim) {
            require(trim.getExpression());
            require(trim.getFromExpression());
        } else if (expression instanceof TimezoneExpression zone) {
            require(zone.getLeftExpression());
            zone.getTimezoneExpressions().forEach(RowLocal::require);
        } else if (expression instanceof JsonExpression json) {
            require(json.getExpression());
        } else if (expression instanceof ArrayConstructor array) {
            array.getExpressions().forEach(RowLocal::require);
        } else {
            throw refusalOf(expression);
        }
    }

    private static UnsupportedConstruct refusalOf(Expression expression) {
        if (expression instanceof TimeKeyExpression) {
            return new UnsupportedConstruct(expression.toString(), CLOCK_ADVICE);
        }
        if (expression instanceof AnalyticExpression analytic) {
            return new UnsupportedConstruct(
                    analytic.getWindowElement() == null
                                    && analytic.toString()
                                            .toUpperCase(Locale.ROOT)
                                            .contains(" OVER")
                            ? "window function " + analytic.getName()
                            : "aggregate " + analytic.getName() + " with FILTER, OVER or WITHIN GROUP",
                    AGGREGATE_ADVICE);
        }
        return new UnsupportedConstruct(
                "expression " + expression + " (" + expression.getClass().getSimpleName() + ")",
                "it is not known to depend on one row alone: compute it in the application");
    }

    private static void column(Column column) {
        String name = column.getColumnName();
        if (column.getArrayConstructor() != null) {
            require(column.getArrayConstructor());
        }
        if (KnownFunctions.isServerState(name.toLowerCase(Locale.ROOT))) {
            throw new UnsupportedConstruct(
                    name,
                    "it differs from server to server: pass the value as a parameter, or quote it if it is a column");
        }
    }

    private static void cast(CastExpression cast) {
        String type = String.valueOf(cast.getColDataType()).toLowerCase(Locale.ROOT);
        if (type.startsWith("reg") || type.contains(".reg")) {
            throw new UnsupportedConstruct("cast to " + type, "object numbers differ from server to server");
        }
        require(cast.getLeftExpression());
    }

    private static void function(Function function) {
        String name = function.getName().toLowerCase(Locale.ROOT);
        if (KnownFunctions.isAggregate(name)) {
            throw new UnsupportedConstruct("aggregate " + name, AGGREGATE_ADVICE);
        }
        if (name.equals("now") || (name.endsWith("_timestamp") && !name.equals("to_timestamp"))) {
            throw new UnsupportedConstruct("function " + name, CLOCK_ADVICE);
        }
        if (!KnownFunctions.isRowLocal(name)) {
            throw new UnsupportedConstruct(
                    "function " + name,
                    "it is not known to depend on its arguments alone: compute it in the application, or run it on one shard");
        }
        arguments(function).forEach(RowLocal::require);
    }

    /** Returns the arguments of a plain call; refuses DISTINCT, ORDER BY and everything else that may stand inside a call. */
    public static List<Expression> arguments(Function function) {
        boolean plain = !function.isDistinct()
                && !function.isUnique()
                && !function.isAllColumns()
                && function.getKeep() == null
                && function.getLimit() == null
                && function.getHavingClause() == null
                && function.getNullHandling() == null
                && function.getAttribute() == null
                && function.getExtraKeyword() == null
                && function.getChainedParameters() == null
                && function.getOnOverflowTruncate() == null
                && (function.getOrderByElements() == null
                        || function.getOrderByElements().isEmpty());
        if (!plain) {
            throw new UnsupportedConstruct(
                    "call " + function, "write it without DISTINCT, ORDER BY and other additions");
        }
        if (function.getNamedParameters() != null) {
            return List.copyOf(function.getNamedParameters());
        }
        return function.getParameters() == null ? List.of() : List.copyOf(function.getParameters());
    }

    private static void notAClock(String literal) {
        if (CLOCK.matcher(literal).matches()) {
            throw new UnsupportedConstruct("literal " + literal, CLOCK_ADVICE);
        }
    }
}
