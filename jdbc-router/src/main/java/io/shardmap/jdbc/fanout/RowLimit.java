package io.shardmap.jdbc.fanout;

import java.math.BigDecimal;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and OFFSET of a query, as written: each server is asked for the sum, and the merge skips and stops.
 *
 * @param limit how many rows at most
 * @param offset how many rows to skip
 */
public record RowLimit(Operand limit, Operand offset) {
    static final RowLimit NONE = new RowLimit(new Absent(), new Absent());

    /** A number in LIMIT or OFFSET. */
    public sealed interface Operand {}

    /** Not written, or NULL or ALL. */
    public record Absent() implements Operand {
        @Override
        public String toString() {
            return "none";
        }
    }

    /**
     * Written as a number.
     *
     * @param value the number, from 0
     */
    public record Literal(long value) implements Operand {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /**
     * Given as a parameter.
     *
     * @param index number of the parameter in the statement, from 1
     */
    public record Parameter(int index) implements Operand {
        @Override
        public String toString() {
            return "parameter " + index;
        }
    }

    /**
     * With the values of the parameters put in.
     *
     * @param limit how many rows at most, {@link Long#MAX_VALUE} for all
     * @param offset how many rows to skip, from 0
     */
    record Bound(long limit, long offset) {
        /** Returns how many rows the answer of one server can need, {@link Long#MAX_VALUE} for all. */
        long perServer() {
            return limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : limit + offset;
        }
    }

    Bound bind(List<@Nullable Object> parameters) throws SQLException {
        return new Bound(
                value(limit, parameters, Long.MAX_VALUE, "LIMIT", "2201W"),
                value(offset, parameters, 0, "OFFSET", "2201X"));
    }

    /** Returns whether neither is written. */
    public boolean isAbsent() {
        return limit instanceof Absent && offset instanceof Absent;
    }

    private static long value(
            Operand operand, List<@Nullable Object> parameters, long absent, String clause, String negativeState)
            throws SQLException {
        long value;
        if (operand instanceof Literal literal) {
            value = literal.value();
        } else if (operand instanceof Parameter parameter) {
            Object given = parameters.get(parameter.index() - 1);
            if (given == null) {
                return absent;
            }
            value = integer(given, clause);
        } else {
            return absent;
        }
        if (value < 0) {
            throw new SQLDataException(clause + " must not be negative: value=" + value, negativeState);
        }
        return value;
    }

    private static long integer(Object given, String clause) throws SQLException {
        if (given instanceof Number number) {
            try {
                return new BigDecimal(number.toString()).longValueExact();
            } catch (ArithmeticException | NumberFormatException notAnInteger) {
                throw new SQLDataException(
                        clause + " must be a whole number that fits into a long: value=" + given,
                        "22023",
                        notAnInteger);
            }
        }
        throw new SQLDataException(
                clause + " must be a number: type=" + given.getClass().getName(), "22023");
    }
}
