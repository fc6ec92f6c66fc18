package io.shardmap.jdbc.fanout;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one group as one row. A key, a minimum and a maximum are read from the server's row that has them, by its driver; a sum is a
 * number of its own.
 */
final class MergedRow implements InvocationHandler {
    private final ResultSet first;
    private final List<ResultSet> sources;
    private @Nullable ResultSet lastRead;

    private MergedRow(ResultSet first, List<ResultSet> sources) {
        this.first = first;
        this.sources = sources;
    }

    /**
     * Returns the merged row, which is gone when one of the rows is.
     *
     * @param rows the current rows of one group, each of another server; at least one
     * @param types types of the keys and of the arguments of aggregates, as {@link FanOutPlan.Ready#ordered} names them
     */
    static ResultSet of(List<ResultSet> rows, FanOutPlan.GroupedMerge plan, List<SortType> types) throws SQLException {
        @Nullable ResultSet[] sources = new ResultSet[plan.columns().size()];
        int type = plan.keys().size();
        for (int i = 0; i < sources.length; i++) {
            FanOutPlan.MergedColumn column = plan.columns().get(i);
            SortType argument = column.argument() == null ? null : types.get(type++);
            sources[i] = switch (column.step()) {
                case SAME -> rows.get(0);
                case SUM -> new NumberCell(sum(rows, i + 1));
                case MIN -> extreme(rows, i + 1, required(argument), -1);
                case MAX -> extreme(rows, i + 1, required(argument), 1);
            };
        }
        return (ResultSet) Proxy.newProxyInstance(
                MergedRow.class.getClassLoader(),
                new Class<?>[] {ResultSet.class},
                new MergedRow(rows.get(0), List.of(sources)));
    }

    private static SortType required(@Nullable SortType argument) {
        if (argument == null) {
            throw new IllegalArgumentException("minimum and maximum must have an argument of known type");
        }
        return argument;
    }

    private static ResultSet extreme(List<ResultSet> rows, int column, SortType type, int sign) throws SQLException {
        ResultSet found = rows.get(0);
        Object best = null;
        for (ResultSet row : rows) {
            Object value = type.read(row, column);
            if (value != null && (best == null || Integer.signum(type.compare(value, best)) == sign)) {
                best = value;
                found = row;
            }
        }
        return found;
    }

    private static @Nullable Object sum(List<ResultSet> rows, int column) throws SQLException {
        Object sum = null;
        for (ResultSet row : rows) {
            Object value = row.getObject(column);
            if (value != null) {
                sum = sum == null ? value : add(sum, value);
            }
        }
        return sum;
    }

    /** Adds as the database does: integers with a check for overflow, decimals with the larger scale, NaN and infinities as such. */
    private static Object add(Object a, Object b) throws SQLException {
        if (a instanceof Long first && b instanceof Long second) {
            try {
                return Math.addExact(first, second);
            } catch (ArithmeticException overflow) {
                throw new SQLDataException("bigint out of range", "22003", overflow);
            }
        }
        if (a instanceof BigDecimal first && b instanceof BigDecimal second) {
            return first.add(second);
        }
        if (a instanceof Number first && b instanceof Number second && (a instanceof Double || b instanceof Double)) {
            return special(first) + special(second);
        }
        throw new IllegalStateException(
                "sums must be integers or decimals: types=" + a.getClass() + ", " + b.getClass());
    }

    /** The driver gives NaN and the infinities of a numeric as a Double; next to them any other number is nothing. */
    private static double special(Number number) {
        return number instanceof Double value ? value : 0;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            if (method.getName().equals("wasNull") && lastRead != null) {
                return lastRead.wasNull();
            }
            if (arguments == null || !method.getName().startsWith("get")) {
                return method.invoke(first, arguments);
            }
            Object column = arguments[0];
            if (column instanceof String label) {
                return byLabel(method, label, arguments);
            }
            if (column instanceof Integer index && index >= 1 && index <= sources.size()) {
                ResultSet source = sources.get(index - 1);
                lastRead = source;
                return method.invoke(source, arguments);
            }
            return method.invoke(first, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    private @Nullable Object byLabel(Method method, String label, @Nullable Object[] arguments) throws Throwable {
        int index = first.findColumn(label);
        ResultSet source = sources.get(index - 1);
        lastRead = source;
        Class<?>[] types = method.getParameterTypes();
        types[0] = int.class;
        @Nullable Object[] byIndex = arguments.clone();
        byIndex[0] = index;
        try {
            return ResultSet.class.getMethod(method.getName(), types).invoke(source, byIndex);
        } catch (NoSuchMethodException | IllegalAccessException none) {
            throw new SQLException("column cannot be read this way: method=" + method.getName(), "0A000", none);
        }
    }
}
