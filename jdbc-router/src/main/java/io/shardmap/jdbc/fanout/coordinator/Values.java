package io.shardmap.jdbc.fanout.coordinator;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binds values of parameters, arrays among them. */
public final class Values {
    private static final Map<Class<?>, String> ELEMENTS = Map.of(
            Integer.class, "integer",
            Long.class, "bigint",
            String.class, "varchar",
            UUID.class, "uuid");

    private Values() {}

    /** Returns the SQL type of the elements of an array; null when it cannot be told. */
    static @Nullable String elementType(Class<?> array) {
        Class<?> element = array.getComponentType();
        return element == null ? null : ELEMENTS.get(element);
    }

    /** Binds a value as the driver does; arrays of integers, strings and UUIDs as SQL arrays on every product. */
    public static void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        String element = value == null ? null : elementType(value.getClass());
        if (element != null && value instanceof Object[] array) {
            statement.setArray(index, statement.getConnection().createArrayOf(element, array));
        } else {
            statement.setObject(index, value);
        }
    }
}
