package io.shardmap.cli.output;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads records by their components. */
final class Fields {
    private Fields() {}

    /** Returns the names of the components that fit into one cell. */
    static List<String> names(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> !isNested(component))
                .map(RecordComponent::getName)
                .toList();
    }

    /** Returns the values of the components that fit into one cell. */
    static List<@Nullable Object> values(Record thing) {
        List<@Nullable Object> values = new ArrayList<>();
        for (RecordComponent component : thing.getClass().getRecordComponents()) {
            if (!isNested(component)) {
                values.add(value(component, thing));
            }
        }
        return values;
    }

    /** Returns the components that are lists of records, by name. */
    static Map<String, List<? extends Record>> nested(Record thing) {
        Map<String, List<? extends Record>> nested = new LinkedHashMap<>();
        for (RecordComponent component : thing.getClass().getRecordComponents()) {
            if (isNested(component) && value(component, thing) instanceof List<?> list) {
                nested.put(
                        component.getName(),
                        list.stream().map(Record.class::cast).toList());
            }
        }
        return nested;
    }

    /** Returns a component's name in words: {@code virtualShards} is {@code virtual shards}. */
    static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static boolean isNested(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType type
                && type.getRawType() == List.class
                && type.getActualTypeArguments()[0] instanceof Class<?> element
                && Record.class.isAssignableFrom(element);
    }

    private static @Nullable Object value(RecordComponent component, Record thing) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(thing);
        } catch (IllegalAccessException | InvocationTargetException unreadable) {
            throw new IllegalStateException("record must be readable: type=" + thing.getClass(), unreadable);
        }
    }
}
