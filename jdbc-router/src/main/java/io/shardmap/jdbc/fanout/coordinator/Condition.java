package io.shardmap.jdbc.fanout.coordinator;

import io.shardmap.jdbc.sql.SqlLexer;
import io.shardmap.jdbc.sql.SqlToken;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * A condition that only needed rows meet, for a statement that cannot have parameters, as COPY. The values are bound all the same: to
 * settings of the transaction, which the condition reads back as the type that the driver would have bound. Immutable.
 */
public final class Condition {
    /** The types that the driver binds. Of other classes it leaves the type to the server, which could choose another one here. */
    private static final Map<Class<?>, String> TYPES = Map.ofEntries(
            Map.entry(Short.class, "smallint"),
            Map.entry(Integer.class, "integer"),
            Map.entry(Long.class, "bigint"),
            Map.entry(Float.class, "real"),
            Map.entry(Double.class, "double precision"),
            Map.entry(BigDecimal.class, "numeric"),
            Map.entry(BigInteger.class, "numeric"),
            Map.entry(Boolean.class, "boolean"),
            Map.entry(String.class, "varchar"),
            Map.entry(UUID.class, "uuid"),
            Map.entry(LocalDate.class, "date"),
            Map.entry(LocalDateTime.class, "timestamp"),
            Map.entry(OffsetDateTime.class, "timestamptz"));

    private final @Nullable String sql;
    private final List<Integer> numbers;
    private final List<@Nullable Object> values;

    private Condition(@Nullable String sql, List<Integer> numbers, List<@Nullable Object> values) {
        this.sql = sql;
        this.numbers = numbers;
        this.values = values;
    }

    /**
     * Creates it. It is left out, which gives more rows than needed, when a value is of a class whose type cannot be told.
     *
     * @param predicate the condition with {@code ?} for values, or null
     * @param numbers numbers of the values, from 1, in the order of the {@code ?}
     * @param values all values of the query
     */
    public static Condition of(
            @Nullable String predicate, List<Integer> numbers, List<? extends @Nullable Object> values) {
        List<@Nullable Object> all = new ArrayList<>(values);
        if (predicate == null) {
            return new Condition(null, List.of(), all);
        }
        for (int number : numbers) {
            Object value = all.get(number - 1);
            if (value != null && type(value) == null) {
                return new Condition(null, List.of(), all);
            }
        }
        return new Condition(withSettings(predicate, numbers, all), List.copyOf(numbers), all);
    }

    private static String withSettings(String predicate, List<Integer> numbers, List<@Nullable Object> values) {
        SqlLexer.Lexed lexed = SqlLexer.lex(predicate);
        StringBuilder sql = new StringBuilder();
        int copied = 0;
        int parameter = 0;
        for (SqlToken token : lexed.tokens()) {
            if (token.kind() == SqlToken.Kind.PARAMETER) {
                int number = numbers.get(parameter++);
                Object value = values.get(number - 1);
                sql.append(lexed.text(), copied, token.start())
                        .append(
                                value == null
                                        ? "NULL"
                                        : "pg_catalog.current_setting('" + setting(number) + "')::" + type(value));
                copied = token.end();
            }
        }
        if (parameter != numbers.size()) {
            throw new IllegalArgumentException(
                    "condition must have as many ? as parameters: sql=" + predicate + ", parameters=" + numbers.size());
        }
        return sql.append(lexed.text().substring(copied)).toString();
    }

    private static @Nullable String type(Object value) {
        String element = Values.elementType(value.getClass());
        return element == null ? TYPES.get(value.getClass()) : element + "[]";
    }

    private static String setting(int number) {
        return "shardmap.parameter_" + number;
    }

    /** Binds the values for the rest of a transaction; returns the condition there, null for all rows. */
    @Nullable
    String bind(Connection connection) throws SQLException {
        boolean strings = numbers.stream()
                .anyMatch(number ->
                        values.get(number - 1) instanceof String || values.get(number - 1) instanceof String[]);
        if (strings && !connection.unwrap(BaseConnection.class).getStringVarcharFlag()) {
            return null; // this connection lets the server choose the types of strings
        }
        for (int number : numbers) {
            Object value = values.get(number - 1);
            if (value != null) {
                try (PreparedStatement set = connection.prepareStatement("select pg_catalog.set_config('"
                        + setting(number) + "', (?::" + type(value) + ")::text, true)")) {
                    Values.bind(set, 1, value);
                    set.execute();
                }
            }
        }
        return sql;
    }
}
